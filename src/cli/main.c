/* main.c -- where the command starts; help.c has the table of commands. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
