import { expect, test } from 'vitest'
import * as z from 'zod'
import { agentTool, readingHints } from './agent-tool.ts'
import { agentTools, parseCall } from './agent-tools.ts'

const toolOf = (name: string, argumentsBytesMax?: number) =>
  agentTool({
    name,
    description: name,
    skill: { name, description: name },
    hints: readingHints(false),
    input: z.strictObject({ text: z.string() }),
    ...(argumentsBytesMax !== undefined && { argumentsBytesMax }),
    run: async () => null,
  })
// What is only parsed signs nothing.
const tools = agentTools([toolOf('note'), toolOf('send', 256 << 10)], {} as never)
const call = (tool: string, bytes: number) => parseCall(tools, tool, { text: 'x'.repeat(bytes - 11) })

test('arguments of a tool have at most 64 KiB, or as much as the tool says', () => {
  for (const [tool, kib] of [
    ['note', 64],
    ['send', 256],
  ] as const) {
    expect(call(tool, kib << 10)).toHaveProperty('input')
    expect(call(tool, (kib << 10) + 1)).toEqual({
      refusal: {
        ok: false,
        error: { code: 'invalid_arguments', message: `The arguments are larger than ${kib} KiB.` },
      },
    })
  }
  expect(parseCall(tools, 'note', { text: '\u{1F680}'.repeat(16_384) })).toHaveProperty('refusal')
})
