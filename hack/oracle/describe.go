package main

import (
	"fmt"
	"math"
	"reflect"

	crd "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

const largestSafeInteger = 1<<53 - 1

// describeMarker turns what was read of a marker into JSON: the value of a marker with one value,
// and the arguments that are not empty, by name, of any other.
func describeMarker(definition *markers.Definition, value any) any {
	reflected := reflect.ValueOf(value)
	for reflected.Kind() == reflect.Pointer {
		reflected = reflected.Elem()
	}
	if reflected.Kind() != reflect.Struct {
		return describe(reflected)
	}
	if _, isJSON := value.(crd.KubernetesDefault); isJSON {
		return describe(reflected.FieldByName("Value"))
	}
	if definition.AnonymousField() {
		return describe(reflected.FieldByName(definition.FieldNames[""]))
	}
	arguments := map[string]any{}
	for name, field := range definition.FieldNames {
		argument := reflected.FieldByName(field)
		for argument.Kind() == reflect.Pointer && !argument.IsNil() {
			argument = argument.Elem()
		}
		isEmptyList := argument.Kind() == reflect.Slice && argument.Len() == 0
		if !argument.IsZero() && !isEmptyList {
			arguments[name] = describe(argument)
		}
	}
	return arguments
}

// describe writes whole numbers that JavaScript cannot hold as text that ends in n.
func describe(value reflect.Value) any {
	if !value.IsValid() {
		return nil
	}
	switch value.Kind() {
	case reflect.Interface, reflect.Pointer:
		return describe(value.Elem())
	case reflect.Slice:
		return describeList(value)
	case reflect.Map:
		described := map[string]any{}
		for _, key := range value.MapKeys() {
			described[key.String()] = describe(value.MapIndex(key))
		}
		return described
	case reflect.Float64:
		if number := value.Float(); math.IsInf(number, 0) || math.IsNaN(number) {
			return fmt.Sprint(number)
		}
		return value.Float()
	case reflect.Int, reflect.Int64:
		if number := value.Int(); number > largestSafeInteger || number < -largestSafeInteger {
			return fmt.Sprintf("%dn", number)
		}
		return value.Int()
	default:
		return value.Interface()
	}
}

func describeList(value reflect.Value) any {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		return string(value.Bytes())
	}
	described := make([]any, value.Len())
	for i := range described {
		described[i] = describe(value.Index(i))
	}
	return described
}
