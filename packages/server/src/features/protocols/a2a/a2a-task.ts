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

/** Whether nothing comes before the caller does something. */
export const isSettled = (state: TaskStateName): boolean => isTerminal(state) || state === 'input-required'

/** The id under which a caller knows a run. */
export const taskIdOf = ({ id, callerKey }: Pick<TaskRun, 'id' | 'callerKey'>): string => callerKey ?? id

/** The conversation that a task belongs to. */
export const contextIdOf = ({ id, contextId }: Pick<TaskRun, 'id' | 'contextId'>): string => contextId ?? id

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

/** A run's status, with its question, the reason of its failure, or what it had signed before it was canceled. */
export function statusOf(
  run: TaskRun,
  state: TaskStateName = run.state,
  at: Date = run.updatedAt,
): TaskStatus {
  const said =
    state === 'input-required' && run.question !== null
      ? [textPart(run.question)]
      : state === 'failed'
        ? failureParts(run)
        : state === 'canceled'
          ? leftParts(run)
          : []
  return {
    state: taskStates[state],
    timestamp: at.toISOString(),
    message:
      said.length === 0 ? undefined : message(run, `${run.id}-status-${run.version}`, Role.ROLE_AGENT, said),
  }
}

/** Why a task failed: the code with the reason that the agent, the tool or the other agent gave; and the result as data. */
function failureParts({ error, result }: TaskRun): Part[] {
  if (error === null) return []
  const reason = reasonIn(result)
  const text = textPart(reason === undefined ? error : `${error}: ${reason}`)
  return typeof result === 'object' && result !== null ? [text, dataPart(result)] : [text]
}

/** The signatures of a canceled task, which are not undone. */
function leftParts({ result }: TaskRun): Part[] {
  const said = reasonIn(result)
  return said === undefined ? [] : [textPart(said), dataPart(result)]
}

/** The reason in a failed run's result; the outcome of a child has the child's reason. */
function reasonIn(result: unknown): string | undefined {
  if (result === null || result === undefined) return undefined
  if (typeof result === 'string') return result
  if (typeof result !== 'object') return JSON.stringify(result)
  if ('message' in result && typeof result.message === 'string') return result.message
  if ('run_id' in result && 'state' in result && 'result' in result) return reasonIn(result.result)
  return JSON.stringify(result)
}

/** The artifacts of a completed run: its result as text, and as data unless it is a text. */
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
    run.message === null
      ? message(run, `${run.id}-0`, Role.ROLE_USER, [textPart(run.objective)])
      : { ...Message.fromJSON(run.message), taskId: taskIdOf(run), contextId: contextIdOf(run) }
  const rest = run.dialog.map(({ seq, kind, input, output }) =>
    kind === 'ask'
      ? message(run, `${run.id}-${seq}`, Role.ROLE_AGENT, [textPart(textIn(input))])
      : message(run, `${run.id}-${seq}`, Role.ROLE_USER, [textPart(textIn(output))]),
  )
  return [first, ...rest]
}

const message = (run: TaskRun, messageId: string, role: Role, parts: Part[]): Message => ({
  messageId,
  contextId: contextIdOf(run),
  taskId: taskIdOf(run),
  role,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

/** The text of a question or an answer in the journal. */
export function textIn(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (typeof entry === 'object' && entry !== null)
    for (const name of ['question', 'answer', 'text']) {
      const value = (entry as Record<string, unknown>)[name]
      if (typeof value === 'string') return value
    }
  return JSON.stringify(entry)
}
