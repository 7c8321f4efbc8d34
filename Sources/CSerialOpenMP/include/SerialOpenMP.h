// Nothing to call: see SerialOpenMP.c.
