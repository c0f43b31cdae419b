export interface Entry {
  name: string;
}

// +listType=map
// +listMapKey=name
export type Entries = Entry[];

export type Words = string[];

export type Table = Record<string, string>;
