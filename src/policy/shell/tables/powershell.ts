/**
 * The cmdlets of PowerShell that only read, with the parameters that are understood. Source: Microsoft Learn, reference of
 * PowerShell 7.5, modules Management, Utility and Core. Parameters that take a script block do not matter here, since braces make a
 * command line run something.
 */
const reading: readonly (readonly [names: string, parameters: string])[] = [
  [
    'Get-Content gc cat type',
    'Path LiteralPath TotalCount Head First Tail Last ReadCount Raw Encoding Delimiter Force Filter Include Exclude AsByteStream',
  ],
  [
    'Get-ChildItem gci ls dir',
    'Path LiteralPath Filter Include Exclude Recurse Depth Force Name Directory File Hidden ReadOnly System Attributes',
  ],
  ['Get-Item gi Get-ItemProperty gp', 'Path LiteralPath Filter Include Exclude Force Name Stream'],
  ['Get-Location gl pwd', 'PSProvider PSDrive Stack'],
  ['Set-Location sl cd chdir Push-Location pushd Pop-Location popd', 'Path LiteralPath'],
  ['Test-Path', 'Path LiteralPath PathType IsValid Filter Include Exclude'],
  [
    'Resolve-Path rvpa Convert-Path cvpa Split-Path Join-Path',
    'Path LiteralPath Relative Parent Leaf Qualifier NoQualifier Extension LeafBase Resolve IsAbsolute ChildPath AdditionalChildPath',
  ],
  [
    'Select-String sls',
    'Pattern Path LiteralPath SimpleMatch CaseSensitive Quiet List NoEmphasis AllMatches NotMatch Context Include Exclude Encoding Raw Culture',
  ],
  ['Select-Object select', 'Property ExcludeProperty ExpandProperty Unique First Last Skip SkipLast Index Wait'],
  ['Sort-Object', 'Property Descending Unique Top Bottom CaseSensitive Stable Culture'],
  [
    'Measure-Object measure',
    'Property Line Word Character Sum Average Maximum Minimum StandardDeviation AllStats IgnoreWhiteSpace',
  ],
  ['Group-Object group', 'Property NoElement AsHashTable AsString CaseSensitive'],
  [
    'Compare-Object compare diff',
    'ReferenceObject DifferenceObject IncludeEqual ExcludeDifferent Property PassThru CaseSensitive',
  ],
  ['Where-Object', 'Property EQ NE GT GE LT LE Like NotLike Match NotMatch Contains In Value CEQ Is'],
  ['Format-Table ft Format-List fl Format-Wide fw', 'Property AutoSize Wrap HideTableHeaders GroupBy Force'],
  ['Out-String oss Out-Null Out-Host oh', 'Width Stream NoNewline'],
  [
    'Write-Output write echo Write-Host Write-Verbose Write-Warning Write-Error',
    'InputObject NoEnumerate Object NoNewline Separator ForegroundColor BackgroundColor Message',
  ],
  [
    'ConvertFrom-Json ConvertTo-Json ConvertFrom-Csv ConvertTo-Csv',
    'InputObject Depth AsHashtable NoEnumerate Compress EnumsAsStrings AsArray Delimiter Header NoTypeInformation',
  ],
  ['Get-Date', 'Format UFormat Date Year Month Day AsUTC'],
  ['Get-Process gps', 'Name Id IncludeUserName'],
  ['Get-Command gcm', 'Name CommandType Module Syntax All'],
  ['Get-FileHash', 'Path LiteralPath Algorithm'],
  [
    'Get-Alias gal Get-Variable gv Get-Module gmo Get-PSDrive gdr Get-Host Get-Culture Get-UICulture',
    'Name Scope ValueOnly ListAvailable Definition PSProvider',
  ],
  ['Get-Unique gu Get-Member gm', 'AsString InputObject Name MemberType Static'],
];

/** Cmdlets and aliases that change files, with the parameter or place of the file. Source: as above. */
const writing: readonly (readonly [names: string, effect: string])[] = [
  ['Set-Content sc Add-Content ac Clear-Content clc Out-File Tee-Object tee', 'writes into a file'],
  [
    'Remove-Item ri rm del erase rd rmdir Remove-ItemProperty rp Clear-Item cli Clear-ItemProperty clp',
    'deletes files or properties',
  ],
  ['Move-Item mi mv move Rename-Item rni ren Move-ItemProperty mp Rename-ItemProperty rnp', 'moves files'],
  ['Copy-Item cpi cp copy Copy-ItemProperty cpp xcopy robocopy', 'writes copies'],
  ['New-Item ni mkdir md New-ItemProperty New-TemporaryFile', 'creates files'],
  ['Set-Item si Set-ItemProperty sp Set-Acl attrib icacls takeown', 'changes files or properties'],
  [
    'Export-Csv epcsv Export-Clixml Export-Alias epal Export-FormatData Export-PSSession Export-ModuleMember',
    'writes into a file',
  ],
  ['Expand-Archive Compress-Archive Save-Help Save-Module Save-Script', 'writes files'],
  ['Start-Transcript Stop-Transcript', 'writes a transcript'],
  ['Register-ScheduledTask schtasks New-Service Set-Service reg regedit', 'changes the system'],
  ['mklink fsutil format diskpart cipher', 'changes file systems'],
];

/** Cmdlets that run a text or an object which is not judged. */
const running: ReadonlySet<string> = new Set('invoke-expression iex invoke-command icm add-type'.split(' '));

const readingRows = new Map(
  reading.flatMap(([names, parameters]) =>
    names.split(' ').map((name) => [name.toLowerCase(), parameters.toLowerCase().split(' ')]),
  ),
);
const writingRows = new Map(
  writing.flatMap(([names, effect]) => names.split(' ').map((name) => [name.toLowerCase(), effect])),
);

/** Returns the parameters, in lower case, with which a cmdlet or alias only reads; undefined when it is not listed. */
export function readingParameters(name: string): readonly string[] | undefined {
  return readingRows.get(name.toLowerCase());
}

/** Returns what a cmdlet or alias that writes does; undefined when it is not listed. */
export function cmdletEffect(name: string): string | undefined {
  return writingRows.get(name.toLowerCase());
}

/** True for a cmdlet or alias that changes files. */
export function isWritingCmdlet(name: string): boolean {
  return writingRows.has(name.toLowerCase());
}

/** True for a cmdlet that runs a text or a script block. */
export function isRunningCmdlet(name: string): boolean {
  return running.has(name.toLowerCase());
}

/** The tables as rows, for the document of the classes. */
export const powershellTables = { reading, writing };
