import type { StreamResponse, Task } from '@a2a-js/sdk'
import type { RunsCtx } from '../../agents/index.ts'
import { artifactsOf, contextIdOf, isSettled, statusOf, taskIdOf } from './a2a-task.ts'
import { type TaskRun, tasksStore } from './tasks.store.ts'

/** Waits until the task has ended or asks something, at most `limitMs`, and returns it as it is then. */
export async function settledTask(
  { sql, followers }: RunsCtx,
  run: TaskRun,
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
): Promise<TaskRun> {
  let current = run
  const until = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  if (isSettled(current.state)) return current
  for await (const _ of followers.follow(run.id, until)) {
    current = (await tasksStore.byRun(sql, run.id)) ?? current
    if (isSettled(current.state)) break
  }
  return current
}

/** A task and its changes: the task itself, then each state it comes to, its artifacts before the last one. Ends with a state that `isOver`. */
export async function* taskStream(
  { sql, followers }: RunsCtx,
  run: TaskRun,
  {
    signal,
    snapshot,
    isOver,
  }: {
    signal: AbortSignal
    snapshot: (run: TaskRun) => Task
    isOver: (state: TaskRun['state']) => boolean
  },
): AsyncGenerator<StreamResponse, void, undefined> {
  yield { payload: { $case: 'task', value: snapshot(run) } }
  let current = run
  if (isOver(current.state)) return yield* updates(current)
  for await (const _ of followers.follow(run.id, signal)) {
    const next = (await tasksStore.byRun(sql, run.id)) ?? current
    const isNews = next.state !== current.state
    current = next
    if (isNews) yield* updates(current)
    if (isOver(current.state)) return
  }
}

function* updates(run: TaskRun): Generator<StreamResponse, void, undefined> {
  const ids = { taskId: taskIdOf(run), contextId: contextIdOf(run), metadata: undefined }
  for (const artifact of artifactsOf(run))
    yield {
      payload: { $case: 'artifactUpdate', value: { ...ids, artifact, append: false, lastChunk: true } },
    }
  yield { payload: { $case: 'statusUpdate', value: { ...ids, status: statusOf(run) } } }
}
