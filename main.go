// Skinlab shows what each way of skinning does to a rigged character, side by side, and what it costs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"skinlab/command"
	"skinlab/command/flags"
	"skinlab/fit/methods"
)

// Exit codes: the same for every command.
const (
	exitData      = 1   // bad data, or a machine that lacks something
	exitUsage     = 2   // bad command line
	exitGate      = 3   // a result misses what the command line asks of it
	exitInterrupt = 130 // Ctrl-C
)

func init() {
	runtime.LockOSThread() // windows and GL contexts stay on the first thread
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a cancelled fit may still write for a while: a second Ctrl-C ends the program at once
	err := command.Run(ctx, methods.All())
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case err == nil, errors.As(err, new(flags.PrintedError)):
	case interrupted && errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "cancelled")
	default:
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
	}
	switch {
	case interrupted:
		os.Exit(exitInterrupt)
	case errors.As(err, new(flags.UsageError)):
		os.Exit(exitUsage)
	case errors.As(err, new(flags.GateError)):
		os.Exit(exitGate)
	case err != nil:
		os.Exit(exitData)
	}
}
