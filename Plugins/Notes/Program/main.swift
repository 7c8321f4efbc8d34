internal import Notes

NotesProgram.main()
