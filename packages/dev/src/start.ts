/** `npm start`: the whole platform on the loopback interface. Compiled code is kept, so that the next start is quicker. */
import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { compileCacheFolder, makeDataFolder } from './start/data-folder.ts'
import { patienceLine } from './start/patience-line.ts'
import { type StartConfig, startConfig } from './start/start-config.ts'
import { startFault } from './start/start-fault.ts'

/** EX_CONFIG of sysexits. */
const misconfigured = 78

const config = checkedConfig()
if (process.argv.length > 2) await obey(process.argv.slice(2))
enableCompileCache(compileCacheFolder(config.dataFolder))
// Before the rest is loaded, which takes its time where nothing is compiled yet.
const patience = patienceLine((line) => console.error(line))
const { runStart } = await import('./start/run-start.ts')
await runStart(config, process.env, patience)

/** The one option, `--reset`. Deletes, says what, and lets the start go on. */
async function obey(options: string[]): Promise<void> {
  try {
    if (options.some((option) => option !== '--reset'))
      throw new Error(`npm start: ${options.join(' ')} is not an option; the only option is --reset`)
    const { resetDataFolder } = await import('./start/reset-data-folder.ts')
    const deleted = await resetDataFolder(config)
    console.error(`Deleted in ${config.dataFolder}: ${deleted.join(', ') || 'nothing: the folder is empty'}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

/** Runs before anything is created or loaded, so that a wrong environment is reported at once. */
function checkedConfig(): StartConfig {
  let dataFolder = ''
  let isRead = false
  try {
    const checked = startConfig(process.env)
    isRead = true
    dataFolder = checked.dataFolder
    makeDataFolder(dataFolder)
    mkdirSync(compileCacheFolder(dataFolder), { recursive: true, mode: 0o700 })
    return checked
  } catch (error) {
    console.error(startFault(error, dataFolder))
    process.exit(isRead ? 1 : misconfigured)
  }
}
