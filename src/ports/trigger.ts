/** The public API as a test key's holder calls it. */
export interface TestApi {
  get<Body>(path: string): Promise<Body>;
  /** The answer of a call that was carried out, or whose order failed as intended. */
  post(path: string, body?: object): Promise<Made>;
  now(): Date;
}

/** What a call made. */
export interface Made {
  /** Of what the event tells about; absent: nobody knows it before the event. */
  readonly id?: string;
}

/** Makes one event in test mode. */
export type Trigger = (api: TestApi) => Promise<Made>;

/** A trigger for each event type, or why test mode can't make one and how to see it. */
export type Triggers = Readonly<Record<string, Trigger | { readonly never: string }>>;
