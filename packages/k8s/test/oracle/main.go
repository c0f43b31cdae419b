// Answers questions about Kubernetes' own libraries: the name of a subject as the argument, a JSON list of
// inputs on standard input, a JSON list of answers of the same length on standard output.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gobuffalo/flect"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type subject func(input json.RawMessage) (any, error)

var subjects = map[string]subject{
	"print-yaml":      printYAML,
	"read-yaml":       readYAML,
	"pluralize":       pluralize,
	"quantity":        quantity,
	"quantity-pair":   quantityPair,
	"label-selector":  labelSelector,
	"object-selector": objectSelector,
	"field-selector":  fieldSelector,
	"names":           names,
	"field-error":     fieldError,
	"status":          status,
	"conditions":      conditions,
	"dotted-names":    dottedNames,
}

func main() {
	ask, known := subjects[os.Args[1]]
	if !known {
		fmt.Fprintln(os.Stderr, "unknown subject", os.Args[1])
		os.Exit(2)
	}
	var inputs []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&inputs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := make([]any, 0, len(inputs))
	for _, input := range inputs {
		answer, err := ask(input)
		if err != nil {
			answer = map[string]string{"error": err.Error()}
		}
		answers = append(answers, answer)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func printYAML(input json.RawMessage) (any, error) {
	// Go's JSON escapes what the YAML reader would take for a line break.
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	text, err := yaml.Marshal(value)
	return string(text), err
}

func readYAML(input json.RawMessage) (any, error) {
	var text string
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, err
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader([]byte(text))))
	documents := []json.RawMessage{}
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		value, err := yaml.YAMLToJSONStrict(document)
		if err != nil {
			return nil, err
		}
		if string(value) != "null" {
			documents = append(documents, value)
		}
	}
}

func dottedNames(input json.RawMessage) (any, error) {
	var text string
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, err
	}
	gvk, groupKind := schema.ParseKindArg(text)
	gvr, groupResource := schema.ParseResourceArg(text)
	answer := map[string]any{
		"groupKind":     map[string]string{"group": groupKind.Group, "kind": groupKind.Kind},
		"groupResource": map[string]string{"group": groupResource.Group, "resource": groupResource.Resource},
	}
	if gvk != nil {
		answer["gvk"] = map[string]string{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}
	}
	if gvr != nil {
		answer["gvr"] = map[string]string{"group": gvr.Group, "version": gvr.Version, "resource": gvr.Resource}
	}
	return answer, nil
}

func pluralize(input json.RawMessage) (any, error) {
	var word string
	if err := json.Unmarshal(input, &word); err != nil {
		return nil, err
	}
	return flect.Pluralize(word), nil
}

func quantity(input json.RawMessage) (any, error) {
	var text string
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, err
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return nil, err
	}
	canonical := q.DeepCopy()
	integer, exact := q.AsInt64()
	return map[string]any{
		"canonical": canonical.String(),
		"format":    string(q.Format),
		"sign":      q.Sign(),
		"value":     fmt.Sprint(q.Value()),
		"milli":     fmt.Sprint(q.MilliValue()),
		"integer":   fmt.Sprint(integer),
		"exact":     exact,
	}, nil
}

func quantityPair(input json.RawMessage) (any, error) {
	var pair [2]string
	if err := json.Unmarshal(input, &pair); err != nil {
		return nil, err
	}
	a, err := resource.ParseQuantity(pair[0])
	if err != nil {
		return nil, err
	}
	b, err := resource.ParseQuantity(pair[1])
	if err != nil {
		return nil, err
	}
	sum, difference, negated := a.DeepCopy(), a.DeepCopy(), a.DeepCopy()
	sum.Add(b)
	difference.Sub(b)
	negated.Neg()
	return map[string]any{"sum": sum.String(), "difference": difference.String(), "negated": negated.String(), "compared": a.Cmp(b)}, nil
}

type selectorQuestion struct {
	Selector string              `json:"selector"`
	Sets     []map[string]string `json:"sets"`
}

func labelSelector(input json.RawMessage) (any, error) {
	var question selectorQuestion
	if err := json.Unmarshal(input, &question); err != nil {
		return nil, err
	}
	selector, err := labels.Parse(question.Selector)
	if err != nil {
		return nil, err
	}
	return matched(selector.String(), question.Sets, func(set map[string]string) bool { return selector.Matches(labels.Set(set)) }), nil
}

func fieldSelector(input json.RawMessage) (any, error) {
	var question selectorQuestion
	if err := json.Unmarshal(input, &question); err != nil {
		return nil, err
	}
	selector, err := fields.ParseSelector(question.Selector)
	if err != nil {
		return nil, err
	}
	return matched(selector.String(), question.Sets, func(set map[string]string) bool { return selector.Matches(fields.Set(set)) }), nil
}

func objectSelector(input json.RawMessage) (any, error) {
	var question struct {
		Selector *metav1.LabelSelector `json:"selector"`
		Sets     []map[string]string   `json:"sets"`
	}
	if err := json.Unmarshal(input, &question); err != nil {
		return nil, err
	}
	selector, err := metav1.LabelSelectorAsSelector(question.Selector)
	if err != nil {
		return nil, err
	}
	return matched(selector.String(), question.Sets, func(set map[string]string) bool { return selector.Matches(labels.Set(set)) }), nil
}

func matched(text string, sets []map[string]string, matches func(map[string]string) bool) any {
	results := []bool{}
	for _, set := range sets {
		results = append(results, matches(set))
	}
	return map[string]any{"text": text, "matches": results}
}

func names(input json.RawMessage) (any, error) {
	var text string
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, err
	}
	return map[string][]string{
		"dns1123Label":        list(validation.IsDNS1123Label(text)),
		"dns1123Subdomain":    list(validation.IsDNS1123Subdomain(text)),
		"dns1035Label":        list(validation.IsDNS1035Label(text)),
		"qualifiedName":       list(validation.IsQualifiedName(text)),
		"labelValue":          list(validation.IsValidLabelValue(text)),
		"wildcardSubdomain":   list(validation.IsWildcardDNS1123Subdomain(text)),
		"configMapKey":        list(validation.IsConfigMapKey(text)),
		"environmentVariable": list(validation.IsEnvVarName(text)),
		"portName":            list(validation.IsValidPortName(text)),
		"httpHeaderName":      list(validation.IsHTTPHeaderName(text)),
		"cIdentifier":         list(validation.IsCIdentifier(text)),
	}, nil
}

func list(messages []string) []string {
	if messages == nil {
		return []string{}
	}
	return messages
}

type fieldQuestion struct {
	Type   string   `json:"type"`
	Field  string   `json:"field"`
	Value  any      `json:"value"`
	Detail string   `json:"detail"`
	Number int      `json:"number"`
	Valid  []string `json:"valid"`
}

func (q fieldQuestion) build() (*field.Error, error) {
	path := field.NewPath(q.Field)
	value := goValue(q.Value)
	switch q.Type {
	case "required":
		return field.Required(path, q.Detail), nil
	case "invalid":
		return field.Invalid(path, value, q.Detail), nil
	case "type-invalid":
		return field.TypeInvalid(path, value, q.Detail), nil
	case "not-supported":
		return field.NotSupported(path, value, q.Valid), nil
	case "duplicate":
		return field.Duplicate(path, value), nil
	case "not-found":
		return field.NotFound(path, value), nil
	case "forbidden":
		return field.Forbidden(path, q.Detail), nil
	case "too-long":
		return field.TooLong(path, value, q.Number), nil
	case "too-many":
		return field.TooMany(path, int(q.Value.(float64)), q.Number), nil
	case "internal":
		return field.InternalError(path, errors.New(q.Detail)), nil
	}
	return nil, fmt.Errorf("unknown type %s", q.Type)
}

// Makes of JSON numbers what an unstructured object holds.
func goValue(value any) any {
	if number, ok := value.(float64); ok && number == float64(int64(number)) {
		return int64(number)
	}
	if items, ok := value.([]any); ok {
		for index := range items {
			items[index] = goValue(items[index])
		}
	}
	if values, ok := value.(map[string]any); ok {
		for key := range values {
			values[key] = goValue(values[key])
		}
	}
	return value
}

func fieldError(input json.RawMessage) (any, error) {
	var questions []fieldQuestion
	if err := json.Unmarshal(input, &questions); err != nil {
		return nil, err
	}
	all := field.ErrorList{}
	messages := []string{}
	for _, question := range questions {
		built, err := question.build()
		if err != nil {
			return nil, err
		}
		all = append(all, built)
		messages = append(messages, built.Error())
	}
	invalid := apierrors.NewInvalid(schema.GroupKind{Group: "demo", Kind: "Thing"}, "x", all)
	return map[string]any{"messages": messages, "aggregated": all.ToAggregate().Error(), "status": invalid.ErrStatus}, nil
}

func status(input json.RawMessage) (any, error) {
	var q struct {
		Make     string               `json:"make"`
		Resource schema.GroupResource `json:"resource"`
		Kind     schema.GroupKind     `json:"kind"`
		Name     string               `json:"name"`
		Text     string               `json:"text"`
		Seconds  int                  `json:"seconds"`
		Code     int                  `json:"code"`
		Verb     string               `json:"verb"`
	}
	if err := json.Unmarshal(input, &q); err != nil {
		return nil, err
	}
	var made *apierrors.StatusError
	switch q.Make {
	case "notFound":
		made = apierrors.NewNotFound(q.Resource, q.Name)
	case "alreadyExists":
		made = apierrors.NewAlreadyExists(q.Resource, q.Name)
	case "conflict":
		made = apierrors.NewConflict(q.Resource, q.Name, errors.New(q.Text))
	case "forbidden":
		made = apierrors.NewForbidden(q.Resource, q.Name, errors.New(q.Text))
	case "unauthorized":
		made = apierrors.NewUnauthorized(q.Text)
	case "badRequest":
		made = apierrors.NewBadRequest(q.Text)
	case "gone":
		made = apierrors.NewGone(q.Text)
	case "expired":
		made = apierrors.NewResourceExpired(q.Text)
	case "methodNotSupported":
		made = apierrors.NewMethodNotSupported(q.Resource, q.Text)
	case "serverTimeout":
		made = apierrors.NewServerTimeout(q.Resource, q.Text, q.Seconds)
	case "timeout":
		made = apierrors.NewTimeoutError(q.Text, q.Seconds)
	case "tooManyRequests":
		made = apierrors.NewTooManyRequests(q.Text, q.Seconds)
	case "tooManyRequestsError":
		made = apierrors.NewTooManyRequestsError(q.Text)
	case "serviceUnavailable":
		made = apierrors.NewServiceUnavailable(q.Text)
	case "internal":
		made = apierrors.NewInternalError(errors.New(q.Text))
	case "requestEntityTooLarge":
		made = apierrors.NewRequestEntityTooLargeError(q.Text)
	case "applyConflict":
		made = apierrors.NewApplyConflict([]metav1.StatusCause{{Type: metav1.CauseTypeFieldManagerConflict, Message: q.Name, Field: ".spec"}}, q.Text)
	case "generic":
		made = apierrors.NewGenericServerResponse(q.Code, strings.ToLower(q.Verb), q.Resource, q.Name, q.Text, q.Seconds, true)
	default:
		return nil, fmt.Errorf("unknown error %s", q.Make)
	}
	return made.ErrStatus, nil
}

// conditions applies a sequence of changes to an empty list, and answers with the list after each of them, on the clock of the test.
func conditions(input json.RawMessage) (any, error) {
	var steps []struct {
		Set    *metav1.Condition `json:"set"`
		Remove *string           `json:"remove"`
	}
	if err := json.Unmarshal(input, &steps); err != nil {
		return nil, err
	}
	var current []metav1.Condition
	answers := []any{}
	for _, step := range steps {
		start := time.Now().Add(-time.Second)
		var changed bool
		var kind string
		if step.Set != nil {
			kind = step.Set.Type
			changed = meta.SetStatusCondition(&current, *step.Set)
		} else {
			kind = *step.Remove
			changed = meta.RemoveStatusCondition(&current, kind)
		}
		for i := range current {
			if current[i].LastTransitionTime.After(start) {
				current[i].LastTransitionTime = metav1.NewTime(now)
			}
		}
		answers = append(answers, map[string]any{
			"changed":    changed,
			"conditions": append([]metav1.Condition{}, current...),
			"found":      meta.FindStatusCondition(current, kind) != nil,
			"isTrue":     meta.IsStatusConditionTrue(current, kind),
			"isFalse":    meta.IsStatusConditionFalse(current, kind),
			"isUnknown":  meta.IsStatusConditionPresentAndEqual(current, kind, metav1.ConditionUnknown),
		})
	}
	return answers, nil
}

// now is what the test's clock shows.
var now = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
