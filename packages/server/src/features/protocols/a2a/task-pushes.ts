import type { ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig } from '@a2a-js/sdk'
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import { taskIdOf } from './a2a-task.ts'
import { configOf, type PushTarget, targetOf, type WireVersion } from './push-config.ts'
import { pushesStore } from './pushes.store.ts'
import { knownTask, type TaskCtx, type TaskRequest } from './task-request.ts'
import type { TaskRun } from './tasks.store.ts'

/** A receiver of notifications, checked; an empty id gets one. */
export type NewTarget = { id: string; target: PushTarget; wireVersion: WireVersion }

/** Gives a task a receiver of notifications, and returns the receiver's id. `isEarly`: of what happened before, too. */
export async function setTarget(
  { runs, targets }: TaskCtx,
  run: TaskRun,
  config: NewTarget & { isEarly: boolean },
): Promise<string> {
  const id = config.id || runs.ids.next()
  const row = { ...config, id, configSealed: targets.seal(run.id, config.target) }
  if (!(await pushesStore.set(runs.sql, run.id, row)))
    throw new RequestMalformedError({
      message: 'The task has too many push notification configurations. Delete one first.',
    })
  return id
}

/** Whether a task has the receiver. */
export const hasTarget = async ({ runs }: TaskCtx, run: TaskRun, id: string): Promise<boolean> =>
  (await pushesStore.list(runs.sql, run.id)).some((each) => each.id === id)

/** Creates a configuration and returns it. */
export async function createPushConfig(
  ctx: TaskCtx,
  request: TaskRequest,
  config: TaskPushNotificationConfig,
  wireVersion: WireVersion,
): Promise<TaskPushNotificationConfig> {
  const run = await knownTask(ctx, request, config.taskId)
  const target = targetOf(config, ctx.outbound)
  const id = await setTarget(ctx, run, { id: config.id, target, wireVersion, isEarly: false })
  return configOf(taskIdOf(run), id, target)
}

/** A configuration of a task. */
export async function getPushConfig(
  ctx: TaskCtx,
  request: TaskRequest,
  { taskId, id }: { taskId: string; id: string },
): Promise<TaskPushNotificationConfig> {
  const { configs } = await listPushConfigs(ctx, request, taskId)
  // Before 1.0 the id may be left out: the first one is meant.
  const config = id === '' ? configs[0] : configs.find((each) => each.id === id)
  if (config === undefined)
    throw new TaskNotFoundError({ message: 'Push notification configuration not found.' })
  return config
}

/** All configurations of a task: they are few. */
export async function listPushConfigs(
  ctx: TaskCtx,
  request: TaskRequest,
  taskId: string,
): Promise<ListTaskPushNotificationConfigsResponse> {
  const run = await knownTask(ctx, request, taskId)
  const rows = await pushesStore.list(ctx.runs.sql, run.id)
  const configs = rows.map((row) => configOf(taskId, row.id, ctx.targets.open(run.id, row.configSealed)))
  return { configs, nextPageToken: '' }
}

/** Deletes a configuration, if there is one. */
export async function deletePushConfig(
  ctx: TaskCtx,
  request: TaskRequest,
  { taskId, id }: { taskId: string; id: string },
): Promise<void> {
  const run = await knownTask(ctx, request, taskId)
  await pushesStore.remove(ctx.runs.sql, run.id, id)
}
