package fit

import (
	"context"
	"errors"
	"testing"
)

// TestLeaveOneOut: a done context leaves the predictions that were made, and is an error where there are none. An
// error of a prediction names its example.
func TestLeaveOneOut(t *testing.T) {
	const examples = 6
	for _, most := range []int{0, 2, examples} {
		ctx, cancel := context.WithCancel(context.Background())
		if most == 0 {
			cancel()
		}
		all, err := LeaveOneOut(ctx, 1, examples, func(done, of int) {
			if of != examples {
				t.Errorf("%d examples", of)
			}
			if done == most {
				cancel()
			}
		}, func(ctx context.Context, _, i int) (*int, error) { return &i, ctx.Err() })
		cancel()
		if most == 0 {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled before the first example: %v", err)
			}
			continue
		}
		made := 0
		for i, p := range all {
			if p != nil {
				made++
				if *p != i {
					t.Errorf("example %d has the prediction of %d", i, *p)
				}
			}
		}
		if err != nil || made < most || most < examples && made > most+1 { // one more may be under way
			t.Errorf("cancelled after %d: %d predictions, %v", most, made, err)
		}
	}
	broken := errors.New("broken")
	_, err := LeaveOneOut(context.Background(), 0, examples, nil, func(_ context.Context, _, i int) (*int, error) {
		if i == 3 {
			return nil, broken
		}
		return &i, nil
	})
	if !errors.Is(err, broken) || err.Error() != "without example 3: broken" {
		t.Errorf("a prediction that fails: %v", err)
	}
}
