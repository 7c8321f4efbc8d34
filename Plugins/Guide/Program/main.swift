internal import Guide

GuideProgram.main()
