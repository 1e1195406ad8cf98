/** What A2A and MCP store. */

export type { ToolCall } from '../features/agents/index.ts'
export { pushesStore } from '../features/protocols/a2a/pushes.store.ts'
export { listedContents } from '../features/protocols/a2a/task-page.ts'
export { tasksStore } from '../features/protocols/a2a/tasks.store.ts'
export { callNotesStore } from '../features/protocols/mcp/call-notes.store.ts'
export { idempotentCall } from '../features/protocols/mcp/idempotent-call.ts'
