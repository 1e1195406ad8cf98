import type { ListTasksRequest, ListTasksResponse, Task } from '@a2a-js/sdk'
import type { Queryable } from '../../../db/pool.ts'
import { taskOf } from './a2a-task.ts'
import { pageToken, taskFilter } from './task-filter.ts'
import {
  type TaskContents,
  type TaskFilter,
  type TaskRun,
  type TaskScope,
  tasksStore,
} from './tasks.store.ts'

// Roughly, in bytes of JSON; the first task of a page may be larger by itself.
const pageBytesMax = 1_000_000
/** The lists with history or artifacts that an organization may have under way in one process: each reads and writes a megabyte. */
export const largeListsMax = 4

// Each task may be as large as a request and a result.
const firstRead = 4

/** The contents of tasks that a list request asks for: history and artifacts only where it names them (A2A 1.0, section 3.1.4). */
export const listedContents = ({
  historyLength = 0,
  includeArtifacts,
}: Pick<ListTasksRequest, 'historyLength' | 'includeArtifacts'>): TaskContents => ({
  hasHistory: historyLength > 0,
  hasArtifacts: includeArtifacts === true,
})

/**
 * A page of a caller's tasks. It ends early, with a token for the rest, where the tasks are large: a page may be shorter than its size
 * (1.0, section 3.1.4: "the maximum number"). The total is exact.
 */
export async function taskPage(
  sql: Queryable,
  scope: TaskScope,
  request: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { isImpossible, ...filter } = taskFilter(request)
  const empty = { tasks: [], nextPageToken: '', pageSize: filter.limit, totalSize: 0 }
  if (isImpossible) return empty
  const contents = listedContents(request)
  const snapshot = (run: TaskRun) => taskOf(run, request.historyLength ?? 0)
  const [{ tasks, next }, totalSize] = await Promise.all([
    readPage((more) => tasksStore.list(sql, scope, { ...filter, ...more }, contents), {
      filter,
      snapshot,
      isLarge: contents.hasHistory || contents.hasArtifacts,
    }),
    tasksStore.count(sql, scope, filter),
  ])
  return { ...empty, tasks, nextPageToken: next === undefined ? '' : pageToken(next), totalSize }
}

/** Reads until the page is full in number or in bytes; it reads as many tasks at once as are likely to fit, from the size of those before. */
async function readPage(
  read: (more: Pick<TaskFilter, 'limit' | 'after'>) => Promise<TaskRun[]>,
  { filter, snapshot, isLarge }: { filter: TaskFilter; snapshot: (run: TaskRun) => Task; isLarge: boolean },
): Promise<{ tasks: Task[]; next: TaskRun | undefined }> {
  const tasks: Task[] = []
  let bytes = 0
  let last: TaskRun | undefined
  let limit = isLarge ? Math.min(firstRead, filter.limit) : filter.limit
  for (;;) {
    const after = last ?? filter.after
    const runs = await read({ limit, ...(after && { after }) })
    for (const run of runs) {
      const task = snapshot(run)
      bytes += Buffer.byteLength(JSON.stringify(task))
      if (bytes > pageBytesMax && last !== undefined) return { tasks, next: last }
      tasks.push(task)
      last = run
    }
    if (runs.length < limit) return { tasks, next: undefined }
    const fitting = Math.floor((pageBytesMax - bytes) / (bytes / tasks.length))
    limit = Math.min(filter.limit - tasks.length, fitting)
    if (limit < 1) return { tasks, next: last }
  }
}
