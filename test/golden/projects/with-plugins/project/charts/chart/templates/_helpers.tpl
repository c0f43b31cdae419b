{{/* The name of the application. */}}
{{- define "lagoon.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* What the names of all objects of the release begin with: the release's name, then the application's unless it is in it. */}}
{{- define "lagoon.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* The namespace of what lies in one. */}}
{{- define "lagoon.namespaceName" -}}
{{- .Release.Namespace }}
{{- end }}

{{/* The name of an object by its suffix, of 63 characters at most: the front is cut, so that no two are the same. */}}
{{- define "lagoon.resourceName" -}}
{{- $room := max 1 (sub 62 (len .suffix)) | int }}
{{- printf "%s-%s" (include "lagoon.fullname" .context | trunc $room | trimSuffix "-") .suffix }}
{{- end }}

{{/* The service account of the manager. */}}
{{- define "lagoon.serviceAccountName" -}}
{{- if .Values.serviceAccount.enabled }}
{{- include "lagoon.resourceName" (dict "suffix" "controller-manager" "context" .) }}
{{- else }}
{{- required "serviceAccount.name is required while serviceAccount.enabled is false; \"default\" is the one that every namespace has" .Values.serviceAccount.name }}
{{- end }}
{{- end }}
