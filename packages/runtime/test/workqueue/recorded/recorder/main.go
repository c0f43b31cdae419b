package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

type op struct {
	Op       string `json:"op"`
	Item     string `json:"item"`
	Priority *int   `json:"priority,omitempty"`
	Length   int    `json:"length"`
}

// Records what client-go and controller-runtime do: go mod tidy && go run . > ../go-trace.json
func main() {
	lim := workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)
	var exp []float64
	for i := 0; i < 25; i++ {
		exp = append(exp, float64(lim.When("a"))/1e6)
	}
	fs := workqueue.NewTypedItemFastSlowRateLimiter[string](5*time.Millisecond, 10*time.Second, 3)
	var fast []float64
	for i := 0; i < 6; i++ {
		fast = append(fast, float64(fs.When("a"))/1e6)
	}
	r := rand.New(rand.NewSource(7))
	q := priorityqueue.New[string]("trace")
	var ops []op
	taken := []string{}
	for i := 0; i < 3000; i++ {
		switch c := r.Intn(10); {
		case c < 5:
			p := r.Intn(4)*50 - 100
			it := fmt.Sprintf("k%d", r.Intn(30))
			q.AddWithOpts(priorityqueue.AddOpts{Priority: &p}, it)
			settle()
			ops = append(ops, op{"add", it, &p, q.Len()})
		case c < 6:
			it := fmt.Sprintf("k%d", r.Intn(30))
			q.Add(it)
			settle()
			ops = append(ops, op{"add", it, nil, q.Len()})
		case c < 8:
			ch := make(chan struct{})
			if len(taken) > 25 || q.Len() == 0 {
				continue
			}
			if blocked(ops, taken) {
				continue
			}
			go func() {
				it, p, _ := q.GetWithPriority()
				ops = append(ops, op{"get", it, &p, 0})
				taken = append(taken, it)
				close(ch)
			}()
			<-ch
			settle()
			ops[len(ops)-1].Length = q.Len()
		default:
			if len(taken) == 0 {
				continue
			}
			k := r.Intn(len(taken))
			it := taken[k]
			taken = append(taken[:k], taken[k+1:]...)
			q.Done(it)
			settle()
			ops = append(ops, op{"done", it, nil, q.Len()})
		}
	}
	q.ShutDown()
	json.NewEncoder(os.Stdout).Encode(map[string]any{"exponentialMs": exp, "fastSlowMs": fast, "operations": ops})
}

func settle() { time.Sleep(300 * time.Microsecond) }

func blocked(ops []op, taken []string) bool {
	ready := map[string]bool{}
	for _, o := range ops {
		switch o.Op {
		case "add":
			ready[o.Item] = true
		case "get":
			delete(ready, o.Item)
		}
	}
	for _, t := range taken {
		delete(ready, t)
	}
	return len(ready) == 0
}
