import BreakOut
import CLinux
import Confinement
import Glibc

// Confines processes as steps are confined and tells what they can still do.
//
//     ConfinementProbe acts PROFILE LANDLOCK FOLDER
//     ConfinementProbe calls PROFILE LANDLOCK
//     ConfinementProbe version PROFILE LANDLOCK
//     ConfinementProbe names
//
// PROFILE is sealed, sealed-threads, net, tool, tool-network, or free for no confinement at all; LANDLOCK the highest
// version of Landlock to use, - for the kernel's.

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["names"] {
  Census.printNames()
  exit(0)
}
guard arguments.count >= 4, ["acts", "calls", "version"].contains(arguments[1]) else { exit(64) }
// Signals to the whole group shall hit nobody else.
setpgid(0, 0)
breakout_expect_signals()
breakout_become_ordinary()
breakout_hide()

let subject = Subject(profile: arguments[2], landlock: Int(arguments[3]))
switch arguments[1] {
case "acts": Acts(subject, folder: arguments[4]).tryAll()
case "version": print(LandlockSupport.version(ceiling: Int(arguments[3])))
default: Census(subject).take()
}
