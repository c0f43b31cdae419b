package main

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// dump prints a checked expression with what the checker found out about it.
func dump(tree *ast.AST) interface{} { return node(tree, tree.Expr()) }

func node(tree *ast.AST, e ast.Expr) map[string]interface{} {
	n := map[string]interface{}{"id": e.ID(), "type": typeOf(tree.GetType(e.ID()))}
	switch e.Kind() {
	case ast.LiteralKind:
		n["kind"], n["value"] = "literal", e.AsLiteral().Value()
		if b, ok := e.AsLiteral().(types.Bytes); ok {
			n["value"] = len(b)
		}
	case ast.IdentKind:
		n["kind"], n["name"] = "ident", e.AsIdent()
	case ast.SelectKind:
		n["kind"], n["field"], n["isTest"] = "select", e.AsSelect().FieldName(), e.AsSelect().IsTestOnly()
		n["operand"] = node(tree, e.AsSelect().Operand())
	case ast.CallKind:
		c := e.AsCall()
		n["kind"], n["name"], n["overloads"] = "call", c.FunctionName(), tree.GetOverloadIDs(e.ID())
		n["args"] = nodes(tree, c.Args())
		if c.IsMemberFunction() {
			n["target"] = node(tree, c.Target())
		}
	case ast.ListKind:
		n["kind"], n["items"] = "list", nodes(tree, e.AsList().Elements())
	case ast.MapKind:
		n["kind"] = "map"
		entries := []interface{}{}
		for _, entry := range e.AsMap().Entries() {
			entries = append(entries, []interface{}{node(tree, entry.AsMapEntry().Key()), node(tree, entry.AsMapEntry().Value())})
		}
		n["entries"] = entries
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		n["kind"], n["variable"], n["accumulator"] = "comprehension", c.IterVar(), c.AccuVar()
		if c.HasIterVar2() {
			n["variable2"] = c.IterVar2()
		}
		n["range"], n["init"], n["condition"] = node(tree, c.IterRange()), node(tree, c.AccuInit()), node(tree, c.LoopCondition())
		n["step"], n["result"] = node(tree, c.LoopStep()), node(tree, c.Result())
	default:
		n["kind"] = "other"
	}
	return n
}

func nodes(tree *ast.AST, list []ast.Expr) []interface{} {
	out := []interface{}{}
	for _, e := range list {
		out = append(out, node(tree, e))
	}
	return out
}

func typeOf(t *types.Type) interface{} {
	params := []interface{}{}
	for _, p := range t.Parameters() {
		params = append(params, typeOf(p))
	}
	return map[string]interface{}{"kind": t.Kind(), "name": t.TypeName(), "params": params}
}
