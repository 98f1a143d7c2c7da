/* How fast nodes exchange messages: each process with the one in its place on the next node, all at the same time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 100, SIZE = 1 << 22 };

int main(int argc, char **argv)
{
    int rank, processes, each;
    MPI_Comm node;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &each);

    char *out = calloc(SIZE, 1), *in = calloc(SIZE, 1);
    int next = (rank + each) % processes, last = (rank - each + processes) % processes;
    double seconds = 0;
    /* The first ones connect, and are not counted. */
    for (int i = -10; i < REPEATS; i++) {
        if (i == 0) {
            MPI_Barrier(MPI_COMM_WORLD);
            seconds = MPI_Wtime();
        }
        MPI_Sendrecv(out, SIZE, MPI_CHAR, next, 0, in, SIZE, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime() - seconds;
    if (rank == 0)
        printf("%d nodes, %d processes each: %.1f Gbit/s out of every node\n", processes / each, each,
               8e-9 * SIZE * REPEATS * each / seconds);
    free(out);
    free(in);
    return MPI_Finalize();
}
