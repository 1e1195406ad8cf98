import { type Artifact, Message, type Part, Role, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk'
import type { TaskRun, TaskStateName } from './tasks.store.ts'

/** The states as A2A numbers them. */
export const taskStates: Readonly<Record<TaskStateName, TaskState>> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
}

/** Whether nothing comes after this state. */
export const isTerminal = (state: TaskStateName): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled'

/** Whether the caller has to do something before anything else comes. */
export const isSettled = (state: TaskStateName): boolean => isTerminal(state) || state === 'input-required'

/** The id under which a caller knows a run. */
export const taskIdOf = ({ id, callerKey }: Pick<TaskRun, 'id' | 'callerKey'>): string => callerKey ?? id

/** The conversation that a task belongs to. */
export const contextIdOf = ({ id, metadata }: Pick<TaskRun, 'id' | 'metadata'>): string =>
  metadata.context_id ?? id

/** A part with text. */
export const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})

const dataPart = (value: unknown): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: 'application/json',
})

/** A run as a task of A2A 1.0. `historyLength`: how many of the latest messages; all when undefined (1.0, section 3.2.4). */
export function taskOf(run: TaskRun, historyLength?: number | null): Task {
  const history = historyOf(run)
  const kept = historyLength == null ? history : historyLength > 0 ? history.slice(-historyLength) : []
  return {
    id: taskIdOf(run),
    contextId: contextIdOf(run),
    status: statusOf(run),
    artifacts: artifactsOf(run),
    history: kept,
    metadata: { run_id: run.id },
  }
}

/** Where a run stands, with what it asks or why it failed. */
export function statusOf(
  run: TaskRun,
  state: TaskStateName = run.state,
  at: Date = run.updatedAt,
): TaskStatus {
  const text = state === 'input-required' ? run.question : state === 'failed' ? failureOf(run) : null
  return {
    state: taskStates[state],
    timestamp: at.toISOString(),
    message:
      text === null ? undefined : message(run, `${run.id}-status-${run.version}`, Role.ROLE_AGENT, text),
  }
}

/** The code of a failure, and what there is to say of it. */
function failureOf({ error, result }: TaskRun): string | null {
  const said =
    typeof result === 'object' && result !== null && 'message' in result ? result.message : undefined
  return error !== null && typeof said === 'string' ? `${error}: ${said}` : error
}

/** What a completed run has made: its result as text, and as data where it is any. */
export function artifactsOf(run: TaskRun): Artifact[] {
  const { result, state } = run
  if (state !== 'completed' || result === null || result === undefined) return []
  const parts =
    typeof result === 'string' ? [textPart(result)] : [textPart(JSON.stringify(result)), dataPart(result)]
  return [
    {
      artifactId: `${run.id}-result`,
      name: 'result',
      description: '',
      parts,
      metadata: undefined,
      extensions: [],
    },
  ]
}

function historyOf(run: TaskRun): Message[] {
  const first =
    run.metadata.message === undefined
      ? message(run, `${run.id}-0`, Role.ROLE_USER, run.objective)
      : { ...Message.fromJSON(run.metadata.message), taskId: taskIdOf(run), contextId: contextIdOf(run) }
  const rest = run.dialog.map(({ seq, kind, input, output }) =>
    kind === 'ask'
      ? message(run, `${run.id}-${seq}`, Role.ROLE_AGENT, textIn(input))
      : message(run, `${run.id}-${seq}`, Role.ROLE_USER, textIn(output)),
  )
  return [first, ...rest]
}

const message = (run: TaskRun, messageId: string, role: Role, text: string): Message => ({
  messageId,
  contextId: contextIdOf(run),
  taskId: taskIdOf(run),
  role,
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

/** The text of a question or an answer in the journal. */
function textIn(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (typeof entry === 'object' && entry !== null)
    for (const name of ['question', 'answer', 'text']) {
      const value = (entry as Record<string, unknown>)[name]
      if (typeof value === 'string') return value
    }
  return JSON.stringify(entry)
}
