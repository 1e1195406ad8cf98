import { type Config, ConfigError, readConfig } from './config.ts'
import { misconfigured, refuse } from './process/refuse.ts'

/** The service in production: everything comes from the environment, and what only development has is refused. */
const config = checkedConfig()
// Not before: wrong settings end the process without loading what it would need.
const { runService } = await import('./process/run-service.ts')
await runService(config)

/** The settings; wrong ones end the process before anything is contacted. */
function checkedConfig(): Config {
  try {
    return readConfig(process.env, 'production')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return refuse(error.message, misconfigured)
  }
}
