// Package types pins the versions of the packages whose structs are read.
package types

import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)
