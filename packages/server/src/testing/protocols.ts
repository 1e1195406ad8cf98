/** What A2A and MCP store. */
export { pushesStore } from '../features/protocols/a2a/pushes.store.ts'
export { listedContents } from '../features/protocols/a2a/task-page.ts'
export { tasksStore } from '../features/protocols/a2a/tasks.store.ts'
export { callNotesStore } from '../features/protocols/mcp/call-notes.store.ts'
export { type CallAttempt, keyedCall } from '../features/protocols/mcp/keyed-call.ts'
