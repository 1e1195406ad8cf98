import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { InputEnded, lineReader } from './line-reader.ts'

/** A terminal's input as Node gives it in raw mode, without the terminal. */
function terminal() {
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      input.isRaw = isRaw
    },
  })
  let seen = ''
  const reader = lineReader(input, (text) => {
    seen += text
  })
  return { input, reader, seen: () => seen }
}

test('nothing of a hidden line is echoed, pasted before it is asked for or not', async () => {
  const { input, reader, seen } = terminal()
  expect(input.isRaw).toBe(true)
  input.write('\u001b[200~first secret\u001b[201~\rsecond secret\r')
  expect(await reader.line({ isHidden: true })).toBe('first secret')
  expect(await reader.line({ isHidden: true })).toBe('second secret')
  expect(seen()).toBe('\n\n')
  reader.close()
  expect(input.isRaw).toBe(false)
})

test('a line is edited by backspace and Ctrl-U, and arrows write nothing', async () => {
  const { input, reader, seen } = terminal()
  input.write('wrong\u0015shox\u007fw\u001b[D\u001bOP\r')
  expect(await reader.line({ isHidden: false })).toBe('show')
  expect(seen()).toBe(`wrong${'\b \b'.repeat(5)}shox\b \bw\n`)
})

test('Ctrl-C, Ctrl-D and the end of the input end the reading', async () => {
  for (const last of ['half\u0003', '\u0004']) {
    const { input, reader } = terminal()
    input.write(last)
    await expect(reader.line({ isHidden: true })).rejects.toThrow(InputEnded)
  }
  const pipe = new PassThrough()
  const reader = lineReader(pipe, () => {
    throw new Error('A pipe has no echo.')
  })
  pipe.end('one\ntwo')
  expect([await reader.line({ isHidden: true }), await reader.line({ isHidden: true })]).toEqual([
    'one',
    'two',
  ])
  await expect(reader.line({ isHidden: true })).rejects.toThrow(InputEnded)
})
