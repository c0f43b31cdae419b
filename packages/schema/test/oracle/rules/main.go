// Command rules answers cases about CEL rules with the libraries of kube-apiserver: a list of cases in, a list of answers out.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/checker"
	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	rules "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/warning"
)

type testCase struct {
	Op       string          `json:"op"`
	Schema   json.RawMessage `json:"schema"`
	Value    json.RawMessage `json:"value"`
	Previous json.RawMessage `json:"previous"`
	Old      json.RawMessage `json:"old"`
	Budget   int64           `json:"budget"`
	PerCall  uint64          `json:"perCall"`
	HasAst   bool            `json:"hasAst"`
}

func main() {
	var cases []testCase
	check(json.NewDecoder(os.Stdin).Decode(&cases))
	answers := make([]interface{}, len(cases))
	for i, c := range cases {
		answers[i] = answer(c)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	check(out.Encode(answers))
}

func answer(c testCase) (result interface{}) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]interface{}{"panic": fmt.Sprint(reason)}
		}
	}()
	switch c.Op {
	case "rule-cost":
		return costs(c)
	case "rule-check":
		return map[string]interface{}{"errors": crdErrors(c)}
	case "rule-validate":
		return validate(c)
	}
	panic("unknown op " + c.Op)
}

type ruleCost struct {
	Path       string      `json:"path"`
	Min        string      `json:"min"`
	Max        string      `json:"max"`
	Repeats    string      `json:"repeats"`
	MessageMax string      `json:"messageMax,omitempty"`
	Error      string      `json:"error,omitempty"`
	OldSelf    bool        `json:"oldSelf,omitempty"`
	Ast        interface{} `json:"ast,omitempty"`
}

func costs(c testCase) interface{} {
	s := structuralOf(c.Schema)
	found := []ruleCost{}
	collect(s, model.SchemaDeclType(s, true), "", c, &found)
	sort.Slice(found, func(i, j int) bool { return found[i].Path < found[j].Path })
	return map[string]interface{}{"costs": found}
}

func collect(s *structuralschema.Structural, t *apiservercel.DeclType, path string, c testCase, found *[]ruleCost) {
	if s == nil || t == nil {
		return
	}
	if len(s.XValidations) > 0 {
		compiled, err := rules.Compile(s, t, celconfig.PerCallLimit, environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), rules.NewExpressionsEnvLoader())
		check(err)
		for i, rule := range s.XValidations {
			item := ruleCost{Path: path + "#" + strconv.Itoa(i), OldSelf: compiled[i].UsesOldSelf}
			if compiled[i].Error != nil {
				item.Error = compiled[i].Error.Detail
			} else {
				low, high, tree := estimate(t, rule.Rule, rule.OptionalOldSelf != nil && *rule.OptionalOldSelf)
				if high != compiled[i].MaxCost {
					panic(fmt.Sprintf("own estimate %d is not upstream's %d", high, compiled[i].MaxCost))
				}
				item.Min, item.Max = strconv.FormatUint(low, 10), strconv.FormatUint(high, 10)
				item.Repeats = strconv.FormatUint(compiled[i].MaxCardinality, 10)
				if compiled[i].MessageExpression != nil {
					item.MessageMax = strconv.FormatUint(compiled[i].MessageExpressionMaxCost, 10)
				}
				if c.HasAst {
					item.Ast = tree
				}
			}
			*found = append(*found, item)
		}
	}
	if s.Items != nil {
		collect(s.Items, t.ElemType, path+"[]", c, found)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		collect(s.AdditionalProperties.Structural, t.ElemType, path+"{}", c, found)
	}
	for name, property := range s.Properties {
		property := property
		escaped, ok := apiservercel.Escape(name)
		if !ok {
			continue
		}
		if f, ok := t.Fields[escaped]; ok {
			collect(&property, f.Type, path+"."+name, c, found)
		}
	}
}

type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if len(node.Path()) == 0 {
		return nil
	}
	current := s.root
	for _, name := range node.Path()[1:] {
		switch name {
		case "@items", "@values":
			current = current.ElemType
		case "@keys":
			current = current.KeyType
		default:
			f, ok := current.Fields[name]
			if !ok {
				return nil
			}
			current = f.Type
		}
		if current == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(current.MaxElements)}
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func estimate(t *apiservercel.DeclType, rule string, optionalOld bool) (uint64, uint64, interface{}) {
	scoped := t.MaybeAssignTypeName("selfType" + strconv.Itoa(time.Now().Nanosecond()))
	oldType := scoped.CelType()
	if optionalOld {
		oldType = types.NewOptionalType(oldType)
	}
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []celgo.EnvOption{celgo.Variable("self", scoped.CelType()), celgo.Variable("oldSelf", oldType)},
		DeclTypes:         []*apiservercel.DeclType{scoped},
	})
	check(err)
	env := set.NewExpressionsEnv()
	tree, issues := env.Compile(rule)
	if issues != nil {
		panic(issues.String())
	}
	cost, err := env.EstimateCost(tree, &library.CostEstimator{SizeEstimator: &sizes{root: t}})
	check(err)
	return cost.Min, cost.Max, dump(tree.NativeRep())
}

func crdErrors(c testCase) []string {
	crd := definition(c.Schema)
	var errs field.ErrorList
	if c.Old == nil {
		errs = crdvalidation.ValidateCustomResourceDefinition(context.Background(), crd)
	} else {
		errs = crdvalidation.ValidateCustomResourceDefinitionUpdate(context.Background(), crd, definition(c.Old))
	}
	kept := field.ErrorList{}
	for _, err := range errs {
		if strings.HasPrefix(err.Field, "spec.validation") {
			kept = append(kept, err)
		}
	}
	return report(kept)
}

func definition(schema json.RawMessage) *apiextensions.CustomResourceDefinition {
	var props apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(schema, &props))
	version := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: "v1", Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &props},
	}
	crd := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "foos.example.com", ResourceVersion: "1"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "foos", Singular: "foo", Kind: "Foo", ListKind: "FooList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version},
		},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	scheme.Default(crd)
	internal := &apiextensions.CustomResourceDefinition{}
	check(scheme.Convert(crd, internal, nil))
	return internal
}

type recorder struct{ lines []string }

func (r *recorder) AddWarning(_, text string) { r.lines = append(r.lines, text) }

func validate(c testCase) interface{} {
	s := structuralOf(c.Schema)
	perCall := c.PerCall
	if perCall == 0 {
		perCall = celconfig.PerCallLimit
	}
	budget := c.Budget
	if budget == 0 {
		budget = celconfig.RuntimeCELCostBudget
	}
	validator := rules.NewValidator(s, true, perCall)
	warnings := &recorder{lines: []string{}}
	ctx := warning.WithWarningRecorder(context.Background(), warnings)
	value := decode(c.Value)
	var options []rules.Option
	var previous interface{}
	if c.Previous != nil {
		previous = decode(c.Previous)
		options = append(options, rules.WithRatcheting(common.NewCorrelatedObject(value, previous, &model.Structural{Structural: s})))
	}
	errs, remaining := validator.Validate(ctx, nil, s, value, previous, budget, options...)
	sort.Strings(warnings.lines)
	return map[string]interface{}{"errors": report(errs), "warnings": warnings.lines, "used": budget - remaining}
}

func report(errs field.ErrorList) []string {
	lines := []string{}
	for _, err := range errs {
		lines = append(lines, string(err.Type)+" "+err.Error())
	}
	sort.Strings(lines)
	return lines
}

func internalOf(raw json.RawMessage) *apiextensions.JSONSchemaProps {
	var props apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(raw, &props))
	internal := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, internal, nil))
	return internal
}

func structuralOf(raw json.RawMessage) *structuralschema.Structural {
	s, err := structuralschema.NewStructural(internalOf(raw))
	check(err)
	return s
}

func decode(raw json.RawMessage) interface{} {
	var value interface{}
	check(utiljson.Unmarshal(bytes.TrimSpace(raw), &value))
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var _ = math.MaxInt64
