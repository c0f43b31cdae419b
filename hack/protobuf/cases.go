package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/resource"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

// testCase is one object in each form.
type testCase struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Protobuf   []byte          `json:"protobuf"`
	CBOR       []byte          `json:"cbor"`
	JSON       json.RawMessage `json:"json"`
}

// printCases writes random objects of each kind in each form, one a line.
func printCases(out io.Writer, scheme *runtime.Scheme, kinds []kind, seed int64, count int) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	filler := newFiller(scheme, seed)
	for _, each := range kinds {
		for range count {
			object, err := scheme.New(each.gvk)
			if err != nil {
				return err
			}
			filler.Fill(object)
			object.GetObjectKind().SetGroupVersionKind(each.gvk)
			if object.GetObjectKind().GroupVersionKind().Empty() {
				// The event of a watch has no envelope, and states no kind.
				continue
			}
			found, err := newCase(scheme, object)
			if err != nil {
				return err
			}
			if err := encoder.Encode(found); err != nil {
				return err
			}
		}
	}
	return nil
}

// newCase encodes an object in each form, after it was encoded once: protocol buffers do not tell an empty list from none.
func newCase(scheme *runtime.Scheme, object runtime.Object) (*testCase, error) {
	message := protobuf.NewSerializer(scheme, scheme)
	var encoded bytes.Buffer
	if err := message.Encode(object, &encoded); err != nil {
		return nil, err
	}
	decoded, gvk, err := message.Decode(encoded.Bytes(), nil, nil)
	if err != nil {
		return nil, err
	}
	encoded.Reset()
	if err := message.Encode(decoded, &encoded); err != nil {
		return nil, err
	}
	text, err := json.Marshal(decoded)
	if err != nil {
		return nil, err
	}
	var items bytes.Buffer
	if err := cbor.NewSerializer(scheme, scheme).Encode(decoded, &items); err != nil {
		return nil, err
	}
	return &testCase{gvk.GroupVersion().String(), gvk.Kind, encoded.Bytes(), items.Bytes(), text}, nil
}

// newFiller returns upstream's fuzzer, with what a typed object must have to be written as JSON.
func newFiller(scheme *runtime.Scheme, seed int64) *randfill.Filler {
	depth := 0
	funcs := fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, func(serializer.CodecFactory) []interface{} {
		return []interface{}{
			func(value *resource.Quantity, c randfill.Continue) {
				*value = *resource.NewMilliQuantity(c.Int63n(1_000_000), resource.DecimalSI)
				if c.Bool() {
					*value = *resource.NewQuantity(c.Int63n(1<<40), resource.BinarySI)
				}
				// Go caches the text of a quantity.
				_ = value.String()
			},
			func(value *intstr.IntOrString, c randfill.Continue) {
				*value = intstr.FromInt32(int32(c.Uint32()))
				if c.Bool() {
					*value = intstr.FromString(c.String(10))
				}
			},
			func(value *runtime.RawExtension, c randfill.Continue) { value.Raw = randomJSON(c) },
			func(value *apiextensions.JSON, c randfill.Continue) { value.Raw = randomJSON(c) },
			func(value *apiextensions.JSONSchemaPropsOrArray, c randfill.Continue) {
				if c.Bool() {
					value.Schema = &apiextensions.JSONSchemaProps{Type: c.String(5)}
				} else {
					value.JSONSchemas = []apiextensions.JSONSchemaProps{{Type: c.String(5)}, {}}
				}
			},
			func(value *apiextensions.JSONSchemaPropsOrBool, c randfill.Continue) {
				value.Allows = c.Bool()
				if value.Allows && c.Bool() {
					value.Schema = &apiextensions.JSONSchemaProps{Title: c.String(5)}
				}
			},
			func(value *apiextensions.JSONSchemaPropsOrStringArray, c randfill.Continue) {
				if c.Bool() {
					value.Schema = &apiextensions.JSONSchemaProps{Title: c.String(5)}
				} else {
					value.Property = []string{c.String(5), ""}
				}
			},
			// Schemas contain schemas, to no end.
			func(value *apiextensions.JSONSchemaProps, c randfill.Continue) {
				if depth > 1 {
					value.Type = c.String(5)
					return
				}
				depth++
				c.FillNoCustom(value)
				depth--
			},
			func(value *metav1.FieldsV1, c randfill.Continue) { value.Raw = []byte(`{"f:metadata":{}}`) },
			// Go writes 64-bit numbers to JSON that other readers round.
			func(value *int64, c randfill.Continue) { *value = c.Int63n(1<<53) - 1<<52 },
			func(value *string, c randfill.Continue) { *value = randomText(c) },
		}
	})
	return fuzzer.FuzzerFor(funcs, rand.NewSource(seed), serializer.NewCodecFactory(scheme)).NilChance(0.3).NumElements(1, 2)
}

func randomText(c randfill.Continue) string {
	switch c.Intn(10) {
	case 0:
		return ""
	case 1:
		return "\ufeffé\u2028😀\x00\\\"<&>"
	case 2:
		return strings.Repeat("long ", 40)
	default:
		return c.String(12)
	}
}

func randomJSON(c randfill.Continue) []byte {
	texts := []string{`{"kind":"A","apiVersion":"b/v1","c":[1,null,true,{"d":"e"}]}`, `{}`, `{"a":1.5}`, `{"__proto__":{"a":1}}`}
	return []byte(texts[c.Intn(len(texts))])
}
