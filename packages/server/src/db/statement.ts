import { toParameter, type Value } from './values.ts'

/** What stands between the texts of a statement: values, which travel apart from it as `$n`, and further SQL. */
export type Part = Value | Verbatim | Statement<unknown>

/** Trusted SQL: a quoted name, or text of our own source. */
export class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A statement as it is sent. */
export type Composed = { text: string; values: (string | Uint8Array | null)[]; isPrepared: boolean }

/** The rows of a result; `count` is how many were read or changed. */
export type Rows<rows> = rows & { readonly count: number }

/** Sends a statement and reads its answer. */
export type Execute = (composed: Composed) => Promise<Rows<unknown>>

/** Text that is given as a whole brings its values along, and is not kept as a prepared statement. */
type Given = { readonly values: readonly Value[] }

/**
 * A statement that runs when it is awaited, once, or becomes part of another one. It is a promise to its callers, but nothing is sent
 * before somebody waits for it.
 */
export class Statement<rows> implements Promise<Rows<rows>> {
  readonly #texts: readonly string[]
  readonly #parts: readonly Part[]
  readonly #execute: Execute
  readonly #given: Given | undefined
  #result: Promise<Rows<rows>> | undefined

  constructor(texts: readonly string[], parts: readonly Part[], execute: Execute, given?: Given) {
    this.#texts = texts
    this.#parts = parts
    this.#execute = execute
    this.#given = given
  }

  get [Symbol.toStringTag](): string {
    return 'Statement'
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what a statement is for.
  then<fulfilled = Rows<rows>, rejected = never>(
    onFulfilled?: ((rows: Rows<rows>) => fulfilled | PromiseLike<fulfilled>) | null,
    onRejected?: ((reason: unknown) => rejected | PromiseLike<rejected>) | null,
  ): Promise<fulfilled | rejected> {
    return this.#run().then(onFulfilled, onRejected)
  }

  catch<rejected = never>(
    onRejected?: ((reason: unknown) => rejected | PromiseLike<rejected>) | null,
  ): Promise<Rows<rows> | rejected> {
    return this.#run().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Rows<rows>> {
    return this.#run().finally(onFinally)
  }

  #run(): Promise<Rows<rows>> {
    // The type of the rows is the caller's word for what the statement's text answers.
    this.#result ??= this.#send() as Promise<Rows<rows>>
    return this.#result
  }

  async #send(): Promise<Rows<unknown>> {
    const values = (this.#given?.values ?? []).map(toParameter)
    const composed: Composed = { text: '', values, isPrepared: this.#given === undefined }
    this.#appendTo(composed)
    return this.#execute(composed)
  }

  #appendTo(composed: Composed): void {
    for (const [i, text] of this.#texts.entries()) {
      composed.text += text
      if (i === this.#parts.length) return
      // A template has one part between each two of its texts.
      const part = this.#parts[i] as Part
      if (part instanceof Statement) part.#appendTo(composed)
      else if (part instanceof Verbatim) composed.text += part.text
      else {
        composed.values.push(toParameter(part))
        composed.text += `$${composed.values.length}`
      }
    }
  }
}
