/** Settings are wrong. The message has a line, a sentence, for each: it names the variable and what it must be. */
export class StartConfigError extends Error {
  override readonly name = 'StartConfigError'

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'))
  }
}
