import { agentRunResultBytesMax, bodyBytesMax } from '@symbolon/api'
import * as z from 'zod'
import { type AgentTool, agentTool, payingHints } from './agent-tool.ts'

const ToolCall = z.strictObject({
  tool: z.string().min(1).max(64),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** What `delegate` takes. */
export const DelegateInput = z.strictObject({
  agent_id: z.uuid().toLowerCase().describe('The agent to delegate to, in the same organization.'),
  objective: z
    .union([z.string().min(1).max(8192), ToolCall])
    .describe('The task, in words or as one tool call.'),
})

/** What `ask_user` takes. */
export const AskInput = z.strictObject({ question: z.string().min(1).max(4096) })

/** What `finish` takes. */
export const FinishInput = z.strictObject({
  result: z
    .unknown()
    .refine(
      (result) => Buffer.byteLength(JSON.stringify(result) ?? '') <= agentRunResultBytesMax,
      `must be at most ${agentRunResultBytesMax} bytes of JSON`,
    )
    .describe('The result of the run.'),
  status: z.enum(['completed', 'failed']).default('completed'),
})

const onlyInRuns = () => Promise.reject(new Error('The engine handles this tool itself.'))

/** The tools that are about the run itself: its engine does them. */
export const controlTools: readonly AgentTool[] = [
  agentTool({
    name: 'delegate',
    description:
      'Delegates a task to another agent, with its own wallet and policy, and waits for the result.',
    skill: { name: 'Delegate', description: 'Delegates tasks to other agents of its organization.' },
    hints: payingHints,
    input: DelegateInput,
    isControl: true,
    run: onlyInRuns,
  }),
  agentTool({
    name: 'ask_user',
    description:
      'Asks the author of the objective a question and waits for the answer. If nobody can answer, the run ends with the question.',
    skill: {
      name: 'Ask a question',
      description: 'Asks whoever gave it the objective, and waits for the answer.',
    },
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    input: AskInput,
    isControl: true,
    run: onlyInRuns,
  }),
  agentTool({
    name: 'finish',
    description: 'Ends the run with a result.',
    skill: { name: 'Finish', description: 'Ends its run with a result.' },
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: FinishInput,
    // The result has a limit of its own, in its schema.
    argumentsBytesMax: bodyBytesMax,
    isControl: true,
    run: onlyInRuns,
  }),
]
