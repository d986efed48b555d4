/** A request as the doubles look at it: chat completions and the Responses API, whatever else is in it. */
export interface FamilyRequest {
  readonly model: string;
  readonly messages?: readonly FamilyMessage[];
  readonly input?: readonly FamilyItem[];
  readonly tools?: readonly FamilyTool[];
  readonly [parameter: string]: unknown;
}

export interface FamilyMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly FamilyCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly unknown[];
}

export interface FamilyCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
}

export interface FamilyItem {
  readonly type?: string;
  readonly role?: string;
  readonly call_id?: string;
  readonly encrypted_content?: string;
}

export interface FamilyTool {
  readonly strict?: boolean;
  readonly function?: { readonly parameters: unknown };
}

/** What a server answers instead of a stream. */
export interface FamilyRefusal {
  readonly status: number;
  readonly body: unknown;
}

/** Null: it has nothing against the request. */
export type FamilyRule = (request: FamilyRequest) => FamilyRefusal | null;

/** How a family streams a chat completion. */
export interface FamilyStyle {
  /** Where its thoughts are; `unmarked`: in the text, with an end and no begin. */
  readonly thoughts?: 'reasoning_content' | 'reasoning' | 'details' | 'blocks' | 'tags' | 'unmarked';
  readonly call?: 'text' | 'fence';
  /** The id of its first call; none: it gives none. */
  readonly callId?: string;
  /** Arguments come in one piece, and the round ends as any other. */
  readonly wholeCalls?: boolean;
  readonly signature?: string;
  /** With a result before it, it thinks and says nothing until it is asked on. */
  readonly fallsSilent?: boolean;
  /** A chunk of Azure that has no choices comes first. */
  readonly filterChunk?: boolean;
}

/** One family of models behind one kind of server. */
export interface Family {
  readonly name: string;
  /** As `OPENAI_MODEL` would name it. */
  readonly model: string;
  readonly serves: readonly ('chat/completions' | 'responses')[];
  readonly style: FamilyStyle;
  readonly rules: readonly FamilyRule[];
  /** What is learned while one question is answered, in this order. */
  readonly learned: readonly string[];
  /** What it is asked through in the end. */
  readonly api: 'chat/completions' | 'responses';
}
