import { agentRunResultBytesMax } from '@symbolon/api'
import * as z from 'zod'
import { type AgentTool, agentTool, payingHints } from './agent-tool.ts'

const ToolCall = z.strictObject({
  tool: z.string().min(1).max(64),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** What `delegate` takes. */
export const DelegateInput = z.strictObject({
  agent_id: z.uuid().toLowerCase().describe('The agent that shall do it; of the same organization.'),
  objective: z
    .union([z.string().min(1).max(8192), ToolCall])
    .describe('What it shall do, in words, or one call of a tool.'),
})

/** What `ask_user` takes. */
export const AskInput = z.strictObject({ question: z.string().min(1).max(4096) })

/** What `finish` takes. */
export const FinishInput = z.strictObject({
  result: z
    .unknown()
    .refine(
      (result) => Buffer.byteLength(JSON.stringify(result) ?? '') <= agentRunResultBytesMax,
      `more than ${agentRunResultBytesMax} bytes of JSON`,
    )
    .describe('What came of it.'),
  status: z.enum(['completed', 'failed']).default('completed'),
})

const onlyInRuns = () => Promise.reject(new Error('The engine does this itself.'))

/** The tools that are about the run itself: its engine does them. */
export const controlTools: readonly AgentTool[] = [
  agentTool({
    name: 'delegate',
    description: 'Has another agent do something, with its own wallet and policy, and waits for its result.',
    hints: payingHints,
    input: DelegateInput,
    isControl: true,
    run: onlyInRuns,
  }),
  agentTool({
    name: 'ask_user',
    description:
      'Asks whoever gave the objective, and waits for the answer. A run that nobody can answer ends with its question.',
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    input: AskInput,
    isControl: true,
    run: onlyInRuns,
  }),
  agentTool({
    name: 'finish',
    description: 'Ends the run with its result.',
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: FinishInput,
    isControl: true,
    run: onlyInRuns,
  }),
]
