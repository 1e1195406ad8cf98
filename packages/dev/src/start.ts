/** `npm start`: the whole platform on the loopback interface. Compiled code is kept, so that the next start is quicker. */
import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { compileCacheFolder, makeDataFolder } from './start/data-folder.ts'
import { patienceLine } from './start/patience-line.ts'
import { ignoredSettings, readStartConfig, type StartConfig } from './start/start-config.ts'
import { StartConfigError } from './start/start-config-error.ts'
import { exitCode, startFault } from './start/start-fault.ts'

/** Variables that say nothing to the API's own schema. */
const ofTheSystem = /^(PATH|HOME|LANG|TZ|NODE_OPTIONS|AWS_.+|GOOGLE_.+)$/

const config = await checkedConfig()
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
async function checkedConfig(): Promise<StartConfig> {
  const { config, complaints } = readStartConfig(process.env)
  const { dataFolder } = config
  try {
    const { databaseUrl, smtpUrl, kms } = config
    const given = Object.keys(config.passedOn).filter((name) => !ofTheSystem.test(name))
    if (given.length > 0 || databaseUrl !== undefined || smtpUrl !== undefined || kms !== undefined) {
      const { serverComplaints } = await import('./start/server-complaints.ts')
      complaints.push(...serverComplaints(config))
    }
    if (complaints.length > 0) throw new StartConfigError(complaints)
    for (const sentence of ignoredSettings(process.env)) console.error(sentence)
    makeDataFolder(dataFolder)
    mkdirSync(compileCacheFolder(dataFolder), { recursive: true, mode: 0o700 })
    return config
  } catch (error) {
    console.error(startFault(error, dataFolder))
    process.exit(exitCode(error))
  }
}
