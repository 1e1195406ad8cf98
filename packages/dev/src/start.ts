/** `npm start`: the whole platform on the loopback interface. Compiled code is kept, so that the next start is quicker. */
import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { compileCacheFolder, dataFolderPath } from './start/data-folder.ts'
import { patienceLine } from './start/patience-line.ts'

mkdirSync(compileCacheFolder(dataFolderPath(process.env)), { recursive: true, mode: 0o700 })
enableCompileCache(compileCacheFolder(dataFolderPath(process.env)))
// Before the rest is loaded, which takes its time where nothing is compiled yet.
const patience = patienceLine((line) => console.error(line))
const { runStart } = await import('./start/run-start.ts')
await runStart(process.env, patience)
