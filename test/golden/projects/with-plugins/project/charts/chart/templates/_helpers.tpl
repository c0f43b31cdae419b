{{/* The name of the chart. */}}
{{- define "lagoon.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* The name prefix of all objects of the release: the release name, followed by the chart name unless the release name contains it. */}}
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

{{/* The namespace of the release. */}}
{{- define "lagoon.namespaceName" -}}
{{- .Release.Namespace }}
{{- end }}

{{/* The name of an object with a suffix, truncated to 63 characters; keeps the suffix, so that names stay unique. */}}
{{- define "lagoon.resourceName" -}}
{{- $room := max 1 (sub 62 (len .suffix)) | int }}
{{- printf "%s-%s" (include "lagoon.fullname" .context | trunc $room | trimSuffix "-") .suffix }}
{{- end }}

{{/* The name of the manager's ServiceAccount. */}}
{{- define "lagoon.serviceAccountName" -}}
{{- if .Values.serviceAccount.enabled }}
{{- include "lagoon.resourceName" (dict "suffix" "controller-manager" "context" .) }}
{{- else }}
{{- required "serviceAccount.name is required while serviceAccount.enabled is false; \"default\" is the one that every namespace has" .Values.serviceAccount.name }}
{{- end }}
{{- end }}
