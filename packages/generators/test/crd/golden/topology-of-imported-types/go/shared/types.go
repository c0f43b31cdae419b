package shared

type Entry struct {
	Name string `json:"name"`
}

// +listType=map
// +listMapKey=name
type Entries []Entry

type Words []string

type Table map[string]string
