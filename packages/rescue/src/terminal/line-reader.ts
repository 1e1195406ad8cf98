/** Thrown when the person ends the program, or no more input comes. */
export class InputEnded extends Error {
  override name = 'InputEnded'

  constructor() {
    super('The input ended.')
  }
}

/** The part of a terminal or pipe that the reader needs. */
export type LineInput = {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  setEncoding(encoding: 'utf8'): unknown
  on(event: 'data', listener: (text: string) => void): unknown
  on(event: 'end', listener: () => void): unknown
  off(event: 'data', listener: (text: string) => void): unknown
  off(event: 'end', listener: () => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Lines of a person or a pipe, one at a time. */
export type LineReader = {
  /** The next line; a terminal shows nothing of it while `isHidden`. Rejects with `InputEnded`. */
  line(options: { isHidden: boolean }): Promise<string>
  /** Gives the terminal back. */
  close(): void
}

/** Arrow keys, function keys and the marks around a paste (ECMA-48 control sequences). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a terminal sends
const controlSequences = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/g

/**
 * Reads lines from `input`. On a terminal it reads every key itself, so that a hidden line is never echoed, not even
 * while it is pasted before it is asked for; `echo` gets the visible text.
 */
export function lineReader(input: LineInput, echo: (text: string) => void): LineReader {
  const isTerminal = input.isTTY === true && input.setRawMode !== undefined
  const characters = characterReader(input, isTerminal)

  async function line({ isHidden }: { isHidden: boolean }): Promise<string> {
    let text = ''
    for (;;) {
      const character = await characters.next()
      if (character === undefined && text === '') throw new InputEnded()
      if (isTerminal && (character === '\u0003' || (character === '\u0004' && text === '')))
        throw new InputEnded()
      if (character === undefined || character === '\n' || character === '\r') break
      const before = text
      text = isTerminal ? edited(text, character) : text + character
      if (isTerminal && !isHidden) echo(seenChange(before, text))
    }
    if (isTerminal) echo('\n')
    return text.trim()
  }
  return { line, close: characters.close }
}

/** The input one character at a time; undefined once it has ended. */
function characterReader(input: LineInput, isTerminal: boolean) {
  let pending = ''
  let hasEnded = false
  let wake = () => {}

  function onData(text: string): void {
    pending += isTerminal ? text.replace(controlSequences, '') : text
    wake()
  }
  function onEnd(): void {
    hasEnded = true
    wake()
  }

  input.setEncoding('utf8')
  if (isTerminal) input.setRawMode?.(true)
  input.on('data', onData)
  input.on('end', onEnd)

  return {
    async next(): Promise<string | undefined> {
      while (pending === '') {
        if (hasEnded) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          input.resume()
        })
        input.pause()
      }
      const [character = ''] = pending
      pending = pending.slice(character.length)
      return character
    },
    close(): void {
      input.off('data', onData)
      input.off('end', onEnd)
      if (isTerminal) input.setRawMode?.(false)
      input.pause()
      pending = ''
    },
  }
}

/** A key's effect on the line: backspace takes a character, Ctrl-U all, other control keys nothing. */
function edited(text: string, character: string): string {
  if (character === '\u007f' || character === '\b') return text.slice(0, -1)
  if (character === '\u0015') return ''
  return character < ' ' && character !== '\t' ? text : text + character
}

function seenChange(before: string, after: string): string {
  return after.length >= before.length
    ? after.slice(before.length)
    : '\b \b'.repeat(before.length - after.length)
}
