// +groupName=demo.example.com

export interface Plain {
  a: string;
}
