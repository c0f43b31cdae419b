// Command cel-reference compiles and evaluates CEL expressions with the packages of kube-apiserver: cases in, answers out, as JSON.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	celschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type testCase struct {
	Expression      string          `json:"expression"`
	Schema          json.RawMessage `json:"schema"`
	Self            json.RawMessage `json:"self"`
	OldSelf         json.RawMessage `json:"oldSelf"`
	OptionalOldSelf bool            `json:"optionalOldSelf"`
	IsRoot          bool            `json:"isRoot"`
}

type issue struct {
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

type answer struct {
	Issues     []issue     `json:"issues,omitempty"`
	OutputType string      `json:"outputType,omitempty"`
	Value      interface{} `json:"value,omitempty"`
	Error      string      `json:"error,omitempty"`
	// Cost is what the evaluation took, Estimate the most that it may take.
	Cost     *uint64 `json:"cost,omitempty"`
	Estimate *uint64 `json:"estimate,omitempty"`
	Panic    string  `json:"panic,omitempty"`
}

func main() {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 34))
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if len(os.Args) > 1 && os.Args[1] == "functions" {
		check(out.Encode(functions(base.NewExpressionsEnv())))
		return
	}
	var cases []testCase
	check(json.NewDecoder(os.Stdin).Decode(&cases))
	answers := make([]answer, len(cases))
	for i, c := range cases {
		answers[i] = solve(base, c)
	}
	check(out.Encode(answers))
}

func functions(env *cel.Env) map[string]map[string]string {
	all := map[string]map[string]string{}
	for name, fn := range env.Functions() {
		all[name] = map[string]string{}
		for _, o := range fn.OverloadDecls() {
			args := ""
			for i, arg := range o.ArgTypes() {
				if i > 0 {
					args += ", "
				}
				args += cel.FormatCELType(arg)
			}
			kind := "function"
			if o.IsMemberFunction() {
				kind = "method"
			}
			all[name][o.ID()] = fmt.Sprintf("%s(%s): %s", kind, args, cel.FormatCELType(o.ResultType()))
		}
	}
	return all
}

func solve(base *environment.EnvSet, c testCase) (result answer) {
	defer func() {
		if reason := recover(); reason != nil {
			result = answer{Panic: fmt.Sprint(reason)}
		}
	}()
	schema := structuralOf(c.Schema)
	declared := model.SchemaDeclType(schema, c.IsRoot)
	if declared == nil {
		return answer{Panic: "no declared type"}
	}
	named := declared.MaybeAssignTypeName("selfType")
	oldSelfType := named.CelType()
	if c.OptionalOldSelf {
		oldSelfType = types.NewOptionalType(oldSelfType)
	}
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", named.CelType()), cel.Variable("oldSelf", oldSelfType)},
		DeclTypes:         []*apiservercel.DeclType{named},
	})
	check(err)
	env := set.NewExpressionsEnv()
	ast, issues := env.Compile(c.Expression)
	if issues != nil {
		return answer{Issues: sorted(issues)}
	}
	estimator := &library.CostEstimator{SizeEstimator: &sizes{root: declared}}
	program, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(estimator))
	if err != nil {
		return answer{Issues: []issue{{Message: "program instantiation failed: " + err.Error()}}}
	}
	result.OutputType = cel.FormatCELType(ast.OutputType())
	estimate, err := env.EstimateCost(ast, estimator)
	check(err)
	result.Estimate = &estimate.Max
	evaluate(c, schema, program, &result)
	return result
}

func evaluate(c testCase, schema *structuralschema.Structural, program cel.Program, result *answer) {
	if c.IsRoot {
		schema = model.WithTypeAndObjectMeta(schema)
	}
	bindings := map[string]interface{}{"self": celschema.UnstructuredToVal(decode(c.Self), schema)}
	if c.OldSelf != nil {
		old := celschema.UnstructuredToVal(decode(c.OldSelf), schema)
		bindings["oldSelf"] = old
		if c.OptionalOldSelf {
			bindings["oldSelf"] = types.OptionalOf(old)
		}
	} else if c.OptionalOldSelf {
		bindings["oldSelf"] = types.OptionalNone
	}
	value, details, err := program.Eval(bindings)
	if details != nil {
		result.Cost = details.ActualCost()
	}
	if err != nil {
		result.Error = err.Error()
		return
	}
	result.Value = encode(value)
}

func sorted(issues *cel.Issues) []issue {
	all := []issue{}
	for _, e := range issues.Errors() {
		all = append(all, issue{Message: e.Message, Line: e.Location.Line(), Column: e.Location.Column() + 1})
	}
	sort.SliceStable(all, func(i, j int) bool {
		return all[i].Line < all[j].Line || (all[i].Line == all[j].Line && all[i].Column < all[j].Column)
	})
	return all
}

func encode(value ref.Val) interface{} {
	one := func(kind string, content interface{}) interface{} { return map[string]interface{}{kind: content} }
	switch v := value.(type) {
	case types.Bool:
		return one("bool", bool(v))
	case types.Int:
		return one("int", strconv.FormatInt(int64(v), 10))
	case types.Uint:
		return one("uint", strconv.FormatUint(uint64(v), 10))
	case types.Double:
		return one("double", strconv.FormatFloat(float64(v), 'g', -1, 64))
	case types.String:
		return one("string", string(v))
	case types.Bytes:
		return one("bytes", base64.StdEncoding.EncodeToString(v))
	case types.Null:
		return one("null", true)
	case types.Duration:
		return one("duration", strconv.FormatInt(int64(v.Duration), 10))
	case types.Timestamp:
		return one("timestamp", v.Time.UTC().Format(time.RFC3339Nano))
	case *types.Type:
		return one("type", v.TypeName())
	case *types.Optional:
		if !v.HasValue() {
			return one("optional", nil)
		}
		return one("optional", encode(v.GetValue()))
	case traits.Lister:
		items := []interface{}{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, encode(it.Next()))
		}
		return one("list", items)
	case traits.Mapper:
		return one("map", encodeMap(v))
	default:
		return one(value.Type().TypeName(), fmt.Sprint(value.Value()))
	}
}

func encodeMap(m traits.Mapper) interface{} {
	type entry struct {
		text string
		pair []interface{}
	}
	entries := []entry{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		if key == nil {
			continue
		}
		encoded := encode(key)
		text, err := json.Marshal(encoded)
		check(err)
		entries = append(entries, entry{string(text), []interface{}{encoded, encode(m.Get(key))}})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].text < entries[j].text })
	pairs := []interface{}{}
	for _, e := range entries {
		pairs = append(pairs, e.pair)
	}
	return pairs
}

type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	current := s.root
	for _, segment := range element.Path()[1:] {
		switch segment {
		case "@items", "@values":
			current = current.ElemType
		case "@keys":
			current = current.KeyType
		default:
			field, known := current.Fields[segment]
			if !known {
				return nil
			}
			current = field.Type
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

func structuralOf(raw json.RawMessage) *structuralschema.Structural {
	var versioned apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(raw, &versioned))
	var internal apiextensions.JSONSchemaProps
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&versioned, &internal, nil))
	structural, err := structuralschema.NewStructural(&internal)
	check(err)
	return structural
}

func decode(raw json.RawMessage) interface{} {
	var value interface{}
	check(utiljson.Unmarshal(raw, &value))
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
