// +groupName=strings.example.com
package v1

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Fallback is a policy under another name.
type Fallback corev1.PullPolicy

// RunnerSpec defines the desired state.
type RunnerSpec struct {
	// Plain use.
	Restart corev1.RestartPolicy `json:"restart"`
	// Optional use.
	// +optional
	Pull *corev1.PullPolicy `json:"pull,omitempty"`
	// With a default.
	// +kubebuilder:default=Allow
	Concurrency batchv1.ConcurrencyPolicy `json:"concurrency,omitempty"`
	// With an enum.
	// +kubebuilder:validation:Enum=TCP;UDP
	Protocol corev1.Protocol `json:"protocol"`
	// Required, in the middle.
	Type corev1.ServiceType `json:"type"`
	// Nullable.
	// +nullable
	Path *networkingv1.PathType `json:"path"`
	// In a list.
	// +listType=set
	Capabilities []corev1.Capability `json:"capabilities"`
	// In a list with items that are checked.
	// +kubebuilder:validation:items:Enum=ReadWriteOnce;ReadOnlyMany
	Modes []corev1.PersistentVolumeAccessMode `json:"modes"`
	// In a map.
	Statuses map[string]metav1.ConditionStatus `json:"statuses"`
	// As the keys of a map.
	Limits map[corev1.ResourceName]int32 `json:"limits,omitempty"`
	// Under another name.
	Fallback Fallback `json:"fallback"`
	// With an enum of the API's own.
	Effect resourcev1.DeviceTaintEffect `json:"effect"`
	// With more marks than the API's own enum.
	// +kubebuilder:validation:Enum=NoExecute
	Stricter resourcev1.DeviceTaintEffect `json:"stricter"`
	// Of an open type.
	Condition autoscalingv2.HorizontalPodAutoscalerConditionType `json:"condition,omitempty"`
	// Beside the struct that has such fields.
	Toleration corev1.Toleration `json:"toleration"`
}

// +kubebuilder:object:root=true

// Runner is a kind with named strings.
type Runner struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RunnerSpec `json:"spec"`
}
