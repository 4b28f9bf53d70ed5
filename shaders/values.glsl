// Joined before all else where the method reads numbers of each vertex.
#define VALUES
