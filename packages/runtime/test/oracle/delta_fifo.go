package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/client-go/tools/cache"
)

type fifoObject struct {
	Key   string `json:"key"`
	Value int    `json:"value"`
}

type fifoCase struct {
	HasKnownObjects bool            `json:"hasKnownObjects"`
	ReplacedAsSync  bool            `json:"replacedAsSync"`
	Operations      []fifoOperation `json:"operations"`
}

type fifoOperation struct {
	Op      string       `json:"op"`
	Object  fifoObject   `json:"object"`
	Objects []fifoObject `json:"objects"`
}

type fifoDelta struct {
	Type           string `json:"type"`
	Value          *int   `json:"value"`
	IsStateUnknown bool   `json:"isStateUnknown"`
}

type fifoAnswer struct {
	Deltas          []fifoDelta `json:"deltas"`
	IsInInitialList bool        `json:"isInInitialList"`
	HasSynced       bool        `json:"hasSynced"`
}

// The objects that the consumer has taken, with sorted keys.
type knownObjects map[string]fifoObject

func (known knownObjects) ListKeys() []string {
	keys := make([]string, 0, len(known))
	for key := range known {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (known knownObjects) GetByKey(key string) (any, bool, error) {
	object, exists := known[key]
	return object, exists, nil
}

func deltaFIFO(input json.RawMessage) (any, error) {
	var given fifoCase
	if err := json.Unmarshal(input, &given); err != nil {
		return nil, err
	}
	known := knownObjects{}
	options := cache.DeltaFIFOOptions{
		KeyFunction:           func(object any) (string, error) { return object.(fifoObject).Key, nil },
		EmitDeltaTypeReplaced: !given.ReplacedAsSync,
	}
	if given.HasKnownObjects {
		options.KnownObjects = known
	}
	fifo := cache.NewDeltaFIFOWithOptions(options)
	// A closed queue takes changes, and does not wait for the next one.
	fifo.Close()
	answers := make([]fifoAnswer, 0, len(given.Operations))
	for _, operation := range given.Operations {
		answer, err := perform(fifo, known, operation)
		if err != nil {
			return nil, err
		}
		answer.HasSynced = fifo.HasSynced()
		answers = append(answers, answer)
	}
	return answers, nil
}

func perform(fifo *cache.DeltaFIFO, known knownObjects, operation fifoOperation) (fifoAnswer, error) {
	answer := fifoAnswer{}
	switch operation.Op {
	case "add":
		return answer, fifo.Add(operation.Object)
	case "update":
		return answer, fifo.Update(operation.Object)
	case "delete":
		return answer, fifo.Delete(operation.Object)
	case "deleteByKey":
		return answer, fifo.Delete(cache.DeletedFinalStateUnknown{Key: operation.Object.Key, Obj: operation.Object})
	case "replace":
		list := make([]any, 0, len(operation.Objects))
		for _, object := range operation.Objects {
			list = append(list, object)
		}
		return answer, fifo.Replace(list, "")
	case "resync":
		return answer, fifo.Resync()
	case "pop":
		_, err := fifo.Pop(func(item any, isInInitialList bool) error {
			answer.IsInInitialList = isInInitialList
			for _, delta := range item.(cache.Deltas) {
				answer.Deltas = append(answer.Deltas, describeDelta(delta))
				learn(known, delta)
			}
			return nil
		})
		if errors.Is(err, cache.ErrFIFOClosed) {
			err = nil
		}
		return answer, err
	}
	return answer, fmt.Errorf("unknown operation %q", operation.Op)
}

func describeDelta(delta cache.Delta) fifoDelta {
	described := fifoDelta{Type: string(delta.Type)}
	object := delta.Object
	if deleted, ok := object.(cache.DeletedFinalStateUnknown); ok {
		described.IsStateUnknown = true
		object = deleted.Obj
	}
	if of, ok := object.(fifoObject); ok {
		described.Value = &of.Value
	}
	return described
}

func learn(known knownObjects, delta cache.Delta) {
	if deleted, ok := delta.Object.(cache.DeletedFinalStateUnknown); ok {
		delete(known, deleted.Key)
		return
	}
	object := delta.Object.(fifoObject)
	if delta.Type == cache.Deleted {
		delete(known, object.Key)
	} else {
		known[object.Key] = object
	}
}
