/**
 * The enclave image format of AWS Nitro, version 4 (`aws-nitro-enclaves-image-format`). Numbers are unsigned and big-endian.
 *
 *     header   ".eif"  u16 version  u16 flags  u64 memory  u64 cpus  u16 reserved  u16 sections
 *              32 times u64 offset  32 times u64 size  u32 unused  u32 crc
 *     section  u16 type  u16 flags  u64 size  data
 *
 * An offset is that of the section's own header, a size that of its data alone. The CRC-32 (IEEE) is of the whole file without its own
 * four bytes.
 */
export const eif: {
  readonly magic: Uint8Array
  readonly version: 4
  readonly sectionsMax: 32
  readonly headerBytes: 548
  readonly sectionHeaderBytes: 12
} = {
  magic: Uint8Array.of(0x2e, 0x65, 0x69, 0x66),
  version: 4,
  sectionsMax: 32,
  headerBytes: 548,
  sectionHeaderBytes: 12,
}

/** What a section holds, by its number in the file. */
export const eifSections = {
  kernel: 1,
  commandLine: 2,
  ramdisk: 3,
  signature: 4,
  metadata: 5,
} as const

/** What an image says of itself; not measured. The names are those of the format. */
export type EifMetadata = {
  ImageName: string
  ImageVersion: string
  BuildMetadata: {
    BuildTime: string
    BuildTool: string
    BuildToolVersion: string
    OperatingSystem: string
    KernelVersion: string
  }
  DockerInfo: Record<string, never>
  CustomMetadata: Record<string, never>
}

/**
 * The parts of an image for x86-64. The first ramdisk is what PCR 1 measures beside the kernel, the others are PCR 2; at boot they are one
 * file system, later files over earlier ones. `signature` is the signature section as it stands in the file.
 */
export type EifContent = {
  kernel: Uint8Array
  commandLine: string
  metadata: EifMetadata
  ramdisks: readonly Uint8Array[]
  signature?: Uint8Array
}

/** An image that is not of the format, or not whole; the message is one sentence. */
export class EifError extends Error {
  override name = 'EifError'
}
