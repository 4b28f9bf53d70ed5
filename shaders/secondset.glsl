// Joined before all else where a model has a second weight set and the method reads it. Other models' programs have no line of it.
#define SECOND_SET
