import { expect, test } from 'vitest'
import * as z from 'zod'
import { agentTool, readingHints } from '../../agents/tools/agent-tool.ts'
import { agentTools } from '../../agents/tools/agent-tools.ts'
import { type McpCall, type McpCtx, serveMcp } from './mcp.ts'

test('what a bug says is logged, and not told to clients', async () => {
  const bug = agentTool({
    name: 'broken',
    description: 'Breaks.',
    skill: { name: 'Break', description: 'Breaks.' },
    hints: readingHints(false),
    input: z.strictObject({}),
    run: async () => {
      throw new Error('password authentication failed for user "symbolon"')
    },
  })
  const logged: unknown[] = []
  const ctx = {
    tools: agentTools([bug], {} as Parameters<typeof agentTools>[1]),
    ids: { next: () => 'id' },
    log: { error: (fields: unknown) => logged.push(fields), warn: () => {} },
  } as unknown as McpCtx
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'broken', arguments: {} } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await serveMcp(ctx, request, { actor: {}, body, key: undefined } as unknown as McpCall)
  const text = await answer.text()
  expect(text).toContain('"code":-32603')
  expect(text).toContain('Something went wrong.')
  expect(text).not.toContain('password')
  expect(JSON.stringify(logged.map((fields) => String((fields as { err: Error }).err)))).toContain('password')
})
