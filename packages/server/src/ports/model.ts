/** A call of a tool that a model wants; `id` is its own name for it. */
export type ModelCall = { id: string; tool: string; arguments: Readonly<Record<string, unknown>> }

/** The conversation so far, oldest first. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; results: readonly { id: string; text: string; isError: boolean }[] }

/** A question to a model; `inputSchema` is JSON Schema. */
export type ModelQuestion = {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly { name: string; description: string; inputSchema: Readonly<Record<string, unknown>> }[]
}

/** The model's text, and the tool calls it asks for. */
export type ModelAnswer = { text: string; calls: readonly ModelCall[] }

/** A language model. Rejects with `ModelError`. */
export type Model = (question: ModelQuestion) => Promise<ModelAnswer>

/** `refused` is final, with `unavailable` a later question may pass; the cause is for the log. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: 'refused' | 'unavailable'

  constructor(code: 'refused' | 'unavailable', options: { status?: number; cause?: unknown } = {}) {
    super(options.status === undefined ? code : `${code} (${options.status})`, { cause: options.cause })
    this.code = code
  }
}
