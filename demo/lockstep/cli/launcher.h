/*
 * Programs such as mpirun and srun, which start several processes of the tool.
 */
#ifndef LOCKSTEP_CLI_LAUNCHER_H
#define LOCKSTEP_CLI_LAUNCHER_H

/*
 * The tool runs in one process: several would each do and print everything.  Exit code: if a
 * launcher started several, EXIT_UNAVAILABLE, with a message from the first of them.
 */
int check_launcher(void);

#endif
