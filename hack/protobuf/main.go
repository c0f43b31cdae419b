// Command protobuf states facts of Kubernetes' Go types, and encodes and decodes objects as its clients do.
//
//	protobuf tables <apiVersion>...                  prints the table of messages
//	protobuf others <apiVersion>...                  prints the kinds of all other API versions, one version a line
//	protobuf texts <apiVersion>...                   prints the names of the types of texts, lists of them, and maps
//	protobuf cases <seed> <count> <apiVersion>...    prints random objects of each kind in protocol buffers, CBOR, and JSON, one a line
//	protobuf client <kubeconfig>                     works with a server as Go programs do, and prints the steps
//	protobuf structs                                 prints the structs of pod templates
//	protobuf templates                               reads pod templates in JSON, one a line; prints the text of each that controllers hash, and the hash
//	protobuf decode                                  reads messages in base64, one a line; prints the JSON or the error of each
//	protobuf cbor                                    reads data items in base64, one a line; prints the JSON or the error of each
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("usage: protobuf tables|others|texts|cases|client|structs|templates|decode|cbor …")
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	scheme := newScheme()
	switch args[0] {
	case "tables":
		printTables(out, kindsOf(scheme, args[1:]))
		return nil
	case "others":
		printOtherKinds(out, scheme, args[1:])
		return nil
	case "texts":
		printTextTypes(out, kindsOf(scheme, args[1:]))
		return nil
	case "cases":
		return cases(out, scheme, args[1:])
	case "client":
		if len(args) != 2 {
			return errors.New("usage: protobuf client <kubeconfig>")
		}
		return runClient(out, args[1])
	case "structs":
		printTemplateStructs(out)
		return nil
	case "templates":
		return printTemplates(out, os.Stdin)
	case "decode":
		return decodeLines(out, os.Stdin, func(data []byte) decoded { return decode(scheme, data) })
	case "cbor":
		return decodeLines(out, os.Stdin, decodeItem)
	default:
		return fmt.Errorf("unknown command %s", args[0])
	}
}

func cases(out io.Writer, scheme *runtime.Scheme, args []string) error {
	if len(args) < 3 {
		return errors.New("usage: protobuf cases <seed> <count> <apiVersion>...")
	}
	seed, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	return printCases(out, scheme, kindsOf(scheme, args[2:]), seed, count)
}

type decoded struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

func decodeLines(out io.Writer, in io.Reader, decode func(data []byte) decoded) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		data, err := base64.StdEncoding.DecodeString(lines.Text())
		if err != nil {
			return err
		}
		if err := encoder.Encode(decode(data)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func decode(scheme *runtime.Scheme, data []byte) decoded {
	object, _, err := protobuf.NewSerializer(scheme, scheme).Decode(data, nil, nil)
	if err != nil {
		return decoded{Error: err.Error()}
	}
	text, err := json.Marshal(object)
	if err != nil {
		return decoded{Error: err.Error()}
	}
	return decoded{JSON: text}
}

// decodeItem decodes a data item without a type, as apply configurations are decoded.
func decodeItem(data []byte) decoded {
	var value any
	if err := direct.Unmarshal(data, &value); err != nil {
		return decoded{Error: err.Error()}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return decoded{Error: err.Error()}
	}
	return decoded{JSON: text}
}
