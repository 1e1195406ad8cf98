/**
 * Builds the enclave image, the same bytes on every Debian 12: `symbolon-enclave.eif`, and with `--test-image` also `symbolon-enclave-test.eif`,
 * whose secure module is simulated. Run: `npm run enclave:image -- [--out <folder>] [--test-image] [--table]`; the folder is `dist/image` where
 * none is named, `--table` writes the committed table of files anew. `SYMBOLON_IMAGE_SOURCES` names a folder of `.deb` files for what Debian's
 * mirror has dropped. Prints the measurements. Exit 1 where the image cannot be built, 2 for arguments that are none.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureEif, readEif } from '../packages/enclave/src/image/index.ts'
import { assembleImage, kernelOf, preparePlace } from './image/build-image.ts'
import { fileTable } from './image/file-table.ts'
import { ImageError } from './image/image-error.ts'
import { imageFiles, testImageFiles } from './image/image-files.ts'
import { imageFolder, lockedPackage } from './image/image-lock.ts'
import { repository } from './image/repository.ts'

type Options = { out: string; isTest: boolean; isTable: boolean }

function options(): Options {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: path.join(repository, 'dist/image') },
      'test-image': { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
    },
  })
  return { out: path.resolve(values.out), isTest: values['test-image'], isTable: values.table }
}

async function build({ out, isTest, isTable }: Options, scratch: string): Promise<void> {
  const place = preparePlace(scratch, process.env['SYMBOLON_IMAGE_SOURCES'])
  const files = await imageFiles(place)
  const kernel = kernelOf(place)
  if (isTable) {
    const { name, version } = lockedPackage(place.lock, 'linux-source-6.12')
    writeFileSync(path.join(imageFolder, 'files.md'), fileTable(files, kernel, `${name} ${version} (Debian)`))
  }
  mkdirSync(out, { recursive: true })
  const images = [{ name: 'symbolon-enclave', files }]
  if (isTest) images.push({ name: 'symbolon-enclave-test', files: await testImageFiles(files) })
  for (const image of images) {
    const bytes = assembleImage(image.name, kernel, image.files)
    writeFileSync(path.join(out, `${image.name}.eif`), bytes)
    process.stdout.write(`${JSON.stringify({ image: image.name, ...measureEif(readEif(bytes)) })}\n`)
  }
}

function optionsOrEnd(): Options {
  try {
    return options()
  } catch (error) {
    process.stderr.write(`enclave:image: ${error instanceof Error ? error.message : error}\n`)
    process.exit(2)
  }
}

const wanted = optionsOrEnd()
const scratch = mkdtempSync(path.join(tmpdir(), 'symbolon-image-'))
try {
  await build(wanted, scratch)
} catch (error) {
  if (!(error instanceof ImageError)) throw error
  process.stderr.write(`enclave:image: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
