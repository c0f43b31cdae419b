// +groupName=golden.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type WidgetSpec struct {
	// +kubebuilder:default=5
	// +kubebuilder:example=5
	P0 string `json:"p0,omitempty"`
	// +kubebuilder:default=-5
	// +kubebuilder:example=-5
	P1 string `json:"p1,omitempty"`
	// +kubebuilder:default=- 5
	// +kubebuilder:example=- 5
	P2 string `json:"p2,omitempty"`
	// +kubebuilder:default=1.5
	// +kubebuilder:example=1.5
	P3 string `json:"p3,omitempty"`
	// +kubebuilder:default=1.50
	// +kubebuilder:example=1.50
	P4 string `json:"p4,omitempty"`
	// +kubebuilder:default=1e3
	// +kubebuilder:example=1e3
	P5 string `json:"p5,omitempty"`
	// +kubebuilder:default=1E-3
	// +kubebuilder:example=1E-3
	P6 string `json:"p6,omitempty"`
	// +kubebuilder:default=.5
	// +kubebuilder:example=.5
	P7 string `json:"p7,omitempty"`
	// +kubebuilder:default=5.
	// +kubebuilder:example=5.
	P8 string `json:"p8,omitempty"`
	// +kubebuilder:default=010
	// +kubebuilder:example=010
	P9 string `json:"p9,omitempty"`
	// +kubebuilder:default=08
	// +kubebuilder:example=08
	P10 string `json:"p10,omitempty"`
	// +kubebuilder:default=5
	// +kubebuilder:example=5
	P11 string `json:"p11,omitempty"`
	// +kubebuilder:default=5
	// +kubebuilder:example=5
	P12 string `json:"p12,omitempty"`
	// +kubebuilder:default=+5
	// +kubebuilder:example=+5
	P13 string `json:"p13,omitempty"`
	// +kubebuilder:default=true
	// +kubebuilder:example=true
	P14 string `json:"p14,omitempty"`
	// +kubebuilder:default=false
	// +kubebuilder:example=false
	P15 string `json:"p15,omitempty"`
	// +kubebuilder:default=True
	// +kubebuilder:example=True
	P16 string `json:"p16,omitempty"`
	// +kubebuilder:default=tru
	// +kubebuilder:example=tru
	P17 string `json:"p17,omitempty"`
	// +kubebuilder:default=null
	// +kubebuilder:example=null
	P18 string `json:"p18,omitempty"`
	// +kubebuilder:default=~
	// +kubebuilder:example=~
	P19 string `json:"p19,omitempty"`
	// +kubebuilder:default=hello
	// +kubebuilder:example=hello
	P20 string `json:"p20,omitempty"`
	// +kubebuilder:default=hello world
	// +kubebuilder:example=hello world
	P21 string `json:"p21,omitempty"`
	// +kubebuilder:default="quoted"
	// +kubebuilder:example="quoted"
	P22 string `json:"p22,omitempty"`
	// +kubebuilder:default="with \"escapes\" \\ \n \t \x41 \u00e9 \U0001F600 \101"
	// +kubebuilder:example="with \"escapes\" \\ \n \t \x41 \u00e9 \U0001F600 \101"
	P23 string `json:"p23,omitempty"`
	// +kubebuilder:default="\xc3\xa9"
	// +kubebuilder:example="\xc3\xa9"
	P24 string `json:"p24,omitempty"`
	// +kubebuilder:default=`raw \d "x"`
	// +kubebuilder:example=`raw \d "x"`
	P25 string `json:"p25,omitempty"`
	// +kubebuilder:default='single'
	// +kubebuilder:example='single'
	P26 string `json:"p26,omitempty"`
	// +kubebuilder:default=it's
	// +kubebuilder:example=it's
	P27 string `json:"p27,omitempty"`
	// +kubebuilder:default=a:b
	// +kubebuilder:example=a:b
	P28 string `json:"p28,omitempty"`
	// +kubebuilder:default=a.b.c
	// +kubebuilder:example=a.b.c
	P29 string `json:"p29,omitempty"`
	// +kubebuilder:default=a/b
	// +kubebuilder:example=a/b
	P30 string `json:"p30,omitempty"`
	// +kubebuilder:default=100Mi
	// +kubebuilder:example=100Mi
	P31 string `json:"p31,omitempty"`
	// +kubebuilder:default=123/config
	// +kubebuilder:example=123/config
	P32 string `json:"p32,omitempty"`
	// +kubebuilder:default=2024-01-15
	// +kubebuilder:example=2024-01-15
	P33 string `json:"p33,omitempty"`
	// +kubebuilder:default=0987
	// +kubebuilder:example=0987
	P34 string `json:"p34,omitempty"`
	// +kubebuilder:default=v1
	// +kubebuilder:example=v1
	P35 string `json:"p35,omitempty"`
	// +kubebuilder:default=1a
	// +kubebuilder:example=1a
	P36 string `json:"p36,omitempty"`
	// +kubebuilder:default=a1
	// +kubebuilder:example=a1
	P37 string `json:"p37,omitempty"`
	// +kubebuilder:default=-a
	// +kubebuilder:example=-a
	P38 string `json:"p38,omitempty"`
	// +kubebuilder:default=--
	// +kubebuilder:example=--
	P39 string `json:"p39,omitempty"`
	// +kubebuilder:default=-
	// +kubebuilder:example=-
	P40 string `json:"p40,omitempty"`
	// +kubebuilder:default=*
	// +kubebuilder:example=*
	P41 string `json:"p41,omitempty"`
	// +kubebuilder:default=@#$%^&()
	// +kubebuilder:example=@#$%^&()
	P42 string `json:"p42,omitempty"`
	// +kubebuilder:default=<>
	// +kubebuilder:example=<>
	P43 string `json:"p43,omitempty"`
	// +kubebuilder:default={}
	// +kubebuilder:example={}
	P44 string `json:"p44,omitempty"`
	// +kubebuilder:default={a}
	// +kubebuilder:example={a}
	P45 string `json:"p45,omitempty"`
	// +kubebuilder:default={a,b}
	// +kubebuilder:example={a,b}
	P46 string `json:"p46,omitempty"`
	// +kubebuilder:default={a, b}
	// +kubebuilder:example={a, b}
	P47 string `json:"p47,omitempty"`
	// +kubebuilder:default={1,2}
	// +kubebuilder:example={1,2}
	P48 string `json:"p48,omitempty"`
	// +kubebuilder:default={1.5,2}
	// +kubebuilder:example={1.5,2}
	P49 string `json:"p49,omitempty"`
	// +kubebuilder:default={true,false}
	// +kubebuilder:example={true,false}
	P50 string `json:"p50,omitempty"`
	// +kubebuilder:default={"a","b",}
	// +kubebuilder:example={"a","b",}
	P51 string `json:"p51,omitempty"`
	// +kubebuilder:default={a: b}
	// +kubebuilder:example={a: b}
	P52 string `json:"p52,omitempty"`
	// +kubebuilder:default={a: 1, b: true, c: x}
	// +kubebuilder:example={a: 1, b: true, c: x}
	P53 string `json:"p53,omitempty"`
	// +kubebuilder:default={"a b": "c,d"}
	// +kubebuilder:example={"a b": "c,d"}
	P54 string `json:"p54,omitempty"`
	// +kubebuilder:default={a: {b: {c: 1}}}
	// +kubebuilder:example={a: {b: {c: 1}}}
	P55 string `json:"p55,omitempty"`
	// +kubebuilder:default={a: {1,2}}
	// +kubebuilder:example={a: {1,2}}
	P56 string `json:"p56,omitempty"`
	// +kubebuilder:default={{1,1},{2,3}}
	// +kubebuilder:example={{1,1},{2,3}}
	P57 string `json:"p57,omitempty"`
	// +kubebuilder:default={{a: 1},{b: 2}}
	// +kubebuilder:example={{a: 1},{b: 2}}
	P58 string `json:"p58,omitempty"`
	// +kubebuilder:default=a;b
	// +kubebuilder:example=a;b
	P59 string `json:"p59,omitempty"`
	// +kubebuilder:default=1;2;3
	// +kubebuilder:example=1;2;3
	P60 string `json:"p60,omitempty"`
	// +kubebuilder:default=a;b;
	// +kubebuilder:example=a;b;
	P61 string `json:"p61,omitempty"`
	// +kubebuilder:default="a;b";c
	// +kubebuilder:example="a;b";c
	P62 string `json:"p62,omitempty"`
	// +kubebuilder:default=true;false
	// +kubebuilder:example=true;false
	P63 string `json:"p63,omitempty"`
	// +kubebuilder:default={1;1,2;3}
	// +kubebuilder:example={1;1,2;3}
	P64 string `json:"p64,omitempty"`
	// +kubebuilder:default=äöü
	// +kubebuilder:example=äöü
	P65 string `json:"p65,omitempty"`
	// +kubebuilder:default=日本語
	// +kubebuilder:example=日本語
	P66 string `json:"p66,omitempty"`
	// +kubebuilder:default=😀
	// +kubebuilder:example=😀
	P67 string `json:"p67,omitempty"`
	// +kubebuilder:default=tab	inside
	// +kubebuilder:example=tab	inside
	P68 string `json:"p68,omitempty"`
	// +kubebuilder:default=a  b
	// +kubebuilder:example=a  b
	P69 string `json:"p69,omitempty"`
	// +kubebuilder:default=[1
	// +kubebuilder:example=[1
	P70 string `json:"p70,omitempty"`
	// +kubebuilder:default=(x)
	// +kubebuilder:example=(x)
	P71 string `json:"p71,omitempty"`
	// +kubebuilder:default==
	// +kubebuilder:example==
	P72 string `json:"p72,omitempty"`
	// +kubebuilder:default=a=b
	// +kubebuilder:example=a=b
	P73 string `json:"p73,omitempty"`
	// +kubebuilder:default=x:
	// +kubebuilder:example=x:
	P74 string `json:"p74,omitempty"`
	// +kubebuilder:default="trailing" 
	// +kubebuilder:example="trailing" 
	P75 string `json:"p75,omitempty"`
	// +kubebuilder:default={a:b}
	// +kubebuilder:example={a:b}
	P76 string `json:"p76,omitempty"`
	// +kubebuilder:default={a:-1}
	// +kubebuilder:example={a:-1}
	P77 string `json:"p77,omitempty"`
	// +kubebuilder:default=-1;-2
	// +kubebuilder:example=-1;-2
	P78 string `json:"p78,omitempty"`
	// +kubebuilder:default=-.5
	// +kubebuilder:example=-.5
	P79 string `json:"p79,omitempty"`
	// +kubebuilder:default=1.
	// +kubebuilder:example=1.
	P80 string `json:"p80,omitempty"`
	// +kubebuilder:default=9007199254740993
	// +kubebuilder:example=9007199254740993
	P81 string `json:"p81,omitempty"`
	// +kubebuilder:default=9223372036854775807
	// +kubebuilder:example=9223372036854775807
	P82 string `json:"p82,omitempty"`
	// +kubebuilder:default=-9223372036854775808
	// +kubebuilder:example=-9223372036854775808
	P83 string `json:"p83,omitempty"`
	// +kubebuilder:default=1234567.5
	// +kubebuilder:example=1234567.5
	P84 string `json:"p84,omitempty"`
	// +kubebuilder:default=123456789.25
	// +kubebuilder:example=123456789.25
	P85 string `json:"p85,omitempty"`
	// +kubebuilder:default=0.00001
	// +kubebuilder:example=0.00001
	P86 string `json:"p86,omitempty"`
	// +kubebuilder:default=1e21
	// +kubebuilder:example=1e21
	P87 string `json:"p87,omitempty"`
	// +kubebuilder:default=1e-7
	// +kubebuilder:example=1e-7
	P88 string `json:"p88,omitempty"`
	// +kubebuilder:default=0
	// +kubebuilder:example=0
	P89 string `json:"p89,omitempty"`
	// +kubebuilder:default=-0
	// +kubebuilder:example=-0
	P90 string `json:"p90,omitempty"`
	// +kubebuilder:default=0.0
	// +kubebuilder:example=0.0
	P91 string `json:"p91,omitempty"`
	// +kubebuilder:default=00
	// +kubebuilder:example=00
	P92 string `json:"p92,omitempty"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
