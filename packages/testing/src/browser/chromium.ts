import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url))
const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')

/**
 * Starts a real Chromium of the caller's own, headless, with all of its security on (apart from the sandbox of the system
 * where it runs as root); 0.2 s. Close it when done: a context per test keeps tests apart. Where npm has no Chromium, it is
 * the installed Chrome.
 */
export async function launchChromium(): Promise<Browser> {
  // The package's browser runs on this system alone.
  if (!(process.platform === 'linux' && process.arch === 'x64')) return chromium.launch({ channel: 'chrome' })
  const folder = unpacked()
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args: ['--font-render-hinting=none', ...(isRoot ? ['--no-sandbox'] : [])],
    env: {
      ...process.env,
      // A system without fonts of its own: those that came along.
      ...(!existsSync('/etc/fonts/fonts.conf') && { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') }),
    },
  })
}

/** The folder of the unpacked browser. Several workers may unpack at once: each into a folder of its own, one of which stays. */
function unpacked(): string {
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(entry), '../package.json'), 'utf8'))
  const folder = path.join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  try {
    // The package unpacks into the temporary folder, and takes a half-written file there for a whole one.
    const program = `import chromium from ${JSON.stringify(pathToFileURL(entry).href)}; await chromium.executablePath()`
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: fresh },
      stdio: 'ignore',
    })
    writeFileSync(
      path.join(fresh, 'fonts.conf'),
      `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
    )
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Somebody else's is there: a folder is never replaced by one that has files.
    if (!existsSync(folder)) throw error
  }
  return folder
}
