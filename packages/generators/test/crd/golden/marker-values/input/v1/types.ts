// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:default=5
  // +kubebuilder:example=5
  p0?: string;
  // +kubebuilder:default=-5
  // +kubebuilder:example=-5
  p1?: string;
  // +kubebuilder:default=- 5
  // +kubebuilder:example=- 5
  p2?: string;
  // +kubebuilder:default=1.5
  // +kubebuilder:example=1.5
  p3?: string;
  // +kubebuilder:default=1.50
  // +kubebuilder:example=1.50
  p4?: string;
  // +kubebuilder:default=1e3
  // +kubebuilder:example=1e3
  p5?: string;
  // +kubebuilder:default=1E-3
  // +kubebuilder:example=1E-3
  p6?: string;
  // +kubebuilder:default=.5
  // +kubebuilder:example=.5
  p7?: string;
  // +kubebuilder:default=5.
  // +kubebuilder:example=5.
  p8?: string;
  // +kubebuilder:default=010
  // +kubebuilder:example=010
  p9?: string;
  // +kubebuilder:default=08
  // +kubebuilder:example=08
  p10?: string;
  // +kubebuilder:default=5
  // +kubebuilder:example=5
  p11?: string;
  // +kubebuilder:default=5
  // +kubebuilder:example=5
  p12?: string;
  // +kubebuilder:default=+5
  // +kubebuilder:example=+5
  p13?: string;
  // +kubebuilder:default=true
  // +kubebuilder:example=true
  p14?: string;
  // +kubebuilder:default=false
  // +kubebuilder:example=false
  p15?: string;
  // +kubebuilder:default=True
  // +kubebuilder:example=True
  p16?: string;
  // +kubebuilder:default=tru
  // +kubebuilder:example=tru
  p17?: string;
  // +kubebuilder:default=null
  // +kubebuilder:example=null
  p18?: string;
  // +kubebuilder:default=~
  // +kubebuilder:example=~
  p19?: string;
  // +kubebuilder:default=hello
  // +kubebuilder:example=hello
  p20?: string;
  // +kubebuilder:default=hello world
  // +kubebuilder:example=hello world
  p21?: string;
  // +kubebuilder:default="quoted"
  // +kubebuilder:example="quoted"
  p22?: string;
  // +kubebuilder:default="with \"escapes\" \\ \n \t \x41 \u00e9 \U0001F600 \101"
  // +kubebuilder:example="with \"escapes\" \\ \n \t \x41 \u00e9 \U0001F600 \101"
  p23?: string;
  // +kubebuilder:default="\xc3\xa9"
  // +kubebuilder:example="\xc3\xa9"
  p24?: string;
  // +kubebuilder:default=`raw \d "x"`
  // +kubebuilder:example=`raw \d "x"`
  p25?: string;
  // +kubebuilder:default='single'
  // +kubebuilder:example='single'
  p26?: string;
  // +kubebuilder:default=it's
  // +kubebuilder:example=it's
  p27?: string;
  // +kubebuilder:default=a:b
  // +kubebuilder:example=a:b
  p28?: string;
  // +kubebuilder:default=a.b.c
  // +kubebuilder:example=a.b.c
  p29?: string;
  // +kubebuilder:default=a/b
  // +kubebuilder:example=a/b
  p30?: string;
  // +kubebuilder:default=100Mi
  // +kubebuilder:example=100Mi
  p31?: string;
  // +kubebuilder:default=123/config
  // +kubebuilder:example=123/config
  p32?: string;
  // +kubebuilder:default=2024-01-15
  // +kubebuilder:example=2024-01-15
  p33?: string;
  // +kubebuilder:default=0987
  // +kubebuilder:example=0987
  p34?: string;
  // +kubebuilder:default=v1
  // +kubebuilder:example=v1
  p35?: string;
  // +kubebuilder:default=1a
  // +kubebuilder:example=1a
  p36?: string;
  // +kubebuilder:default=a1
  // +kubebuilder:example=a1
  p37?: string;
  // +kubebuilder:default=-a
  // +kubebuilder:example=-a
  p38?: string;
  // +kubebuilder:default=--
  // +kubebuilder:example=--
  p39?: string;
  // +kubebuilder:default=-
  // +kubebuilder:example=-
  p40?: string;
  // +kubebuilder:default=*
  // +kubebuilder:example=*
  p41?: string;
  // +kubebuilder:default=@#$%^&()
  // +kubebuilder:example=@#$%^&()
  p42?: string;
  // +kubebuilder:default=<>
  // +kubebuilder:example=<>
  p43?: string;
  // +kubebuilder:default={}
  // +kubebuilder:example={}
  p44?: string;
  // +kubebuilder:default={a}
  // +kubebuilder:example={a}
  p45?: string;
  // +kubebuilder:default={a,b}
  // +kubebuilder:example={a,b}
  p46?: string;
  // +kubebuilder:default={a, b}
  // +kubebuilder:example={a, b}
  p47?: string;
  // +kubebuilder:default={1,2}
  // +kubebuilder:example={1,2}
  p48?: string;
  // +kubebuilder:default={1.5,2}
  // +kubebuilder:example={1.5,2}
  p49?: string;
  // +kubebuilder:default={true,false}
  // +kubebuilder:example={true,false}
  p50?: string;
  // +kubebuilder:default={"a","b",}
  // +kubebuilder:example={"a","b",}
  p51?: string;
  // +kubebuilder:default={a: b}
  // +kubebuilder:example={a: b}
  p52?: string;
  // +kubebuilder:default={a: 1, b: true, c: x}
  // +kubebuilder:example={a: 1, b: true, c: x}
  p53?: string;
  // +kubebuilder:default={"a b": "c,d"}
  // +kubebuilder:example={"a b": "c,d"}
  p54?: string;
  // +kubebuilder:default={a: {b: {c: 1}}}
  // +kubebuilder:example={a: {b: {c: 1}}}
  p55?: string;
  // +kubebuilder:default={a: {1,2}}
  // +kubebuilder:example={a: {1,2}}
  p56?: string;
  // +kubebuilder:default={{1,1},{2,3}}
  // +kubebuilder:example={{1,1},{2,3}}
  p57?: string;
  // +kubebuilder:default={{a: 1},{b: 2}}
  // +kubebuilder:example={{a: 1},{b: 2}}
  p58?: string;
  // +kubebuilder:default=a;b
  // +kubebuilder:example=a;b
  p59?: string;
  // +kubebuilder:default=1;2;3
  // +kubebuilder:example=1;2;3
  p60?: string;
  // +kubebuilder:default=a;b;
  // +kubebuilder:example=a;b;
  p61?: string;
  // +kubebuilder:default="a;b";c
  // +kubebuilder:example="a;b";c
  p62?: string;
  // +kubebuilder:default=true;false
  // +kubebuilder:example=true;false
  p63?: string;
  // +kubebuilder:default={1;1,2;3}
  // +kubebuilder:example={1;1,2;3}
  p64?: string;
  // +kubebuilder:default=äöü
  // +kubebuilder:example=äöü
  p65?: string;
  // +kubebuilder:default=日本語
  // +kubebuilder:example=日本語
  p66?: string;
  // +kubebuilder:default=😀
  // +kubebuilder:example=😀
  p67?: string;
  // +kubebuilder:default=tab	inside
  // +kubebuilder:example=tab	inside
  p68?: string;
  // +kubebuilder:default=a  b
  // +kubebuilder:example=a  b
  p69?: string;
  // +kubebuilder:default=[1
  // +kubebuilder:example=[1
  p70?: string;
  // +kubebuilder:default=(x)
  // +kubebuilder:example=(x)
  p71?: string;
  // +kubebuilder:default==
  // +kubebuilder:example==
  p72?: string;
  // +kubebuilder:default=a=b
  // +kubebuilder:example=a=b
  p73?: string;
  // +kubebuilder:default=x:
  // +kubebuilder:example=x:
  p74?: string;
  // +kubebuilder:default="trailing" 
  // +kubebuilder:example="trailing" 
  p75?: string;
  // +kubebuilder:default={a:b}
  // +kubebuilder:example={a:b}
  p76?: string;
  // +kubebuilder:default={a:-1}
  // +kubebuilder:example={a:-1}
  p77?: string;
  // +kubebuilder:default=-1;-2
  // +kubebuilder:example=-1;-2
  p78?: string;
  // +kubebuilder:default=-.5
  // +kubebuilder:example=-.5
  p79?: string;
  // +kubebuilder:default=1.
  // +kubebuilder:example=1.
  p80?: string;
  // +kubebuilder:default=9007199254740993
  // +kubebuilder:example=9007199254740993
  p81?: string;
  // +kubebuilder:default=9223372036854775807
  // +kubebuilder:example=9223372036854775807
  p82?: string;
  // +kubebuilder:default=-9223372036854775808
  // +kubebuilder:example=-9223372036854775808
  p83?: string;
  // +kubebuilder:default=1234567.5
  // +kubebuilder:example=1234567.5
  p84?: string;
  // +kubebuilder:default=123456789.25
  // +kubebuilder:example=123456789.25
  p85?: string;
  // +kubebuilder:default=0.00001
  // +kubebuilder:example=0.00001
  p86?: string;
  // +kubebuilder:default=1e21
  // +kubebuilder:example=1e21
  p87?: string;
  // +kubebuilder:default=1e-7
  // +kubebuilder:example=1e-7
  p88?: string;
  // +kubebuilder:default=0
  // +kubebuilder:example=0
  p89?: string;
  // +kubebuilder:default=-0
  // +kubebuilder:example=-0
  p90?: string;
  // +kubebuilder:default=0.0
  // +kubebuilder:example=0.0
  p91?: string;
  // +kubebuilder:default=00
  // +kubebuilder:example=00
  p92?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
