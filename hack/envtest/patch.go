package main

import (
	"gomodules.xyz/jsonpatch/v2"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// patchOf labels the object of a request with its user.
func patchOf(request admission.Request) jsonpatch.JsonPatchOperation {
	value := "unknown"
	if len(request.UserInfo.Groups) > 0 {
		value = request.UserInfo.Username
	}
	return jsonpatch.NewOperation("add", "/metadata/labels/creator", value)
}
