@echo off
rem Starts Drawbridge's bridge for an AI assistant. The Drawbridge extension writes this file and replaces it: do not edit it.
setlocal EnableExtensions DisableDelayedExpansion
rem The working directory is untrusted. No program from there may run.
set "NoDefaultCurrentDirectoryInExePath=1"
if not defined SystemRoot set "SystemRoot=C:\Windows"
rem The lists beside this file are UTF-8.
"%SystemRoot%\System32\chcp.com" 65001 <nul >nul 2>nul
rem Settings of another program's debugger or loader must not run code in the bridge or write to its output.
set "NODE_OPTIONS="
set "NODE_PATH="
set "NODE_REPL_EXTERNAL_MODULE="
set "VSCODE_INSPECTOR_OPTIONS="
rem This makes the program of the editor a plain Node. Any other Node ignores it.
set "ELECTRON_RUN_AS_NODE=1"
set "folder=%~dp0"
set "isNode=process.exit(parseInt(process.versions.node)<20?1:0)"
set "bridge="
set "runtime="
rem The bridge uses the windows of the same state folder, whatever profile the assistant passes on, and never a relative path.
for %%h in ("%DRAWBRIDGE_HOME%") do if /i not "%%~fh"=="%%~h" set "DRAWBRIDGE_HOME="
if not defined DRAWBRIDGE_HOME for %%h in ("%folder%..") do set "DRAWBRIDGE_HOME=%%~fh"
rem A project's settings may set this variable for a hook.
if /i "%~1"=="hook" for %%h in ("%folder%..") do set "DRAWBRIDGE_HOME=%%~fh"

rem Find the newest bridge that exists. An update that no window has loaded yet is in a folder beside the version it replaced.
if not exist "%folder%bridges" goto noBridge
for /f "usebackq tokens=1,* delims=	" %%a in ("%folder%bridges") do if not defined bridge if exist "%%b" set "bridge=%%b"
for /f "usebackq tokens=1,* delims=	" %%a in ("%folder%bridges") do if not defined bridge for %%e in ("%%b\..\..\..") do for /d %%d in ("%%~fe\drawbridge.drawbridge-*") do if exist "%%d\dist\bridge.cjs" set "bridge=%%d\dist\bridge.cjs"
if not defined bridge goto noBridge

rem A hook takes the runtime that worked last or a program of an editor. Asking for its version would slow down each edit, and a
rem project's settings may set the PATH and the other variables of a hook.
if /i not "%~1"=="hook" goto findRuntime
for %%b in ("%bridge%") do set "hook=%%~dpbhook.cjs"
if not exist "%hook%" goto answerWithoutProgram
if exist "%folder%runtime" for /f "usebackq delims=" %%a in ("%folder%runtime") do if exist "%%a" set "runtime=%%a"
if exist "%folder%runtimes" for /f "usebackq delims=" %%a in ("%folder%runtimes") do if not defined runtime if exist "%%a" set "runtime=%%a"
if not defined runtime goto answerWithoutProgram
rem One line each, since this file may be replaced meanwhile. The hook of a moment decides nothing. Otherwise any failure refuses the edit: another code would let it pass.
if /i "%~2"=="moment" ("%runtime%" "%hook%" %* & exit /b 0)
"%runtime%" "%hook%" %* && exit /b 0 || exit /b 2

:findRuntime
rem Find a runtime: the one that worked last, the programs of the editors, known folders, the PATH.
if exist "%folder%runtime" for /f "usebackq delims=" %%a in ("%folder%runtime") do if exist "%%a" set "runtime=%%a"
if defined runtime goto run
if exist "%folder%runtimes" for /f "usebackq delims=" %%a in ("%folder%runtimes") do if not defined runtime if exist "%%a" "%%a" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%a"
if not defined runtime if defined ProgramFiles for %%a in ("%ProgramFiles%\nodejs\node.exe") do if exist "%%~a" "%%~a" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%~a"
if not defined runtime if defined LOCALAPPDATA for %%a in ("%LOCALAPPDATA%\Programs\nodejs\node.exe") do if exist "%%~a" "%%~a" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%~a"
if not defined runtime if defined USERPROFILE for %%a in ("%USERPROFILE%\scoop\apps\nodejs\current\node.exe") do if exist "%%~a" "%%~a" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%~a"
if not defined runtime if defined LOCALAPPDATA for /d %%d in ("%LOCALAPPDATA%\Volta\tools\image\node\*") do if not defined runtime if exist "%%d\node.exe" "%%d\node.exe" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%d\node.exe"
if not defined runtime if defined APPDATA for /d %%d in ("%APPDATA%\nvm\v*" "%APPDATA%\fnm\node-versions\v*") do for %%a in ("%%d\node.exe" "%%d\installation\node.exe") do if not defined runtime if exist "%%~a" "%%~a" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%~a"
if defined runtime goto remember
rem Only absolute paths count, since others lead into the working directory. The runtime is not remembered: a folder of a
rem repository may be on the PATH (`npm exec` puts it there), and its program must not run for all other folders too.
for %%i in ("%PATH:;=" "%") do if not defined runtime if /i "%%~fi"=="%%~i" if exist "%%~i\node.exe" "%%~i\node.exe" -e "%isNode%" <nul >nul 2>nul && set "runtime=%%~i\node.exe"
if not defined runtime goto noRuntime
goto run

:remember
for %%a in ("%runtime%") do >"%folder%runtime" 2>nul echo(%%~a

:run
rem One line, since this file may be replaced while the bridge runs. After a failure, the next start looks for a runtime again.
"%runtime%" "%bridge%" %* && exit /b 0 || (del "%folder%runtime" 2>nul & exit /b 1)

:answerWithoutProgram
rem Refuses the call when it may be in a guarded folder, and otherwise lets it pass. The records are those of src/home/guards.ts, and
rem of src/home/guardsOff.ts: a file of the last 8 hours and of this boot.
set "guards=%folder%..\guards"
set "problem=Drawbridge guards this folder, but the program that asks the user cannot run on this machine, so this edit or command was refused. Tell the user to open a window with Drawbridge, or to run 'drawbridge doctor'."
if not exist "%guards%\" exit /b 0
if /i "%~2"=="moment" exit /b 0
"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "$text = [Console]::In.ReadToEnd(); $off = Get-Item -LiteralPath ($env:guards + '-off') -ErrorAction SilentlyContinue; if ($off -and -not $off.LinkType -and $off.LastWriteTimeUtc -gt [DateTime]::UtcNow.AddHours(-8) -and $off.LastWriteTime -gt (Get-CimInstance Win32_OperatingSystem).LastBootUpTime) { $left = ([IO.File]::ReadAllText($off.FullName) | ConvertFrom-Json).until - [DateTimeOffset]::UtcNow.ToUnixTimeMilliseconds(); if ($left -gt 0 -and $left -le 28800000) { exit 0 } }; foreach ($record in Get-ChildItem -LiteralPath $env:guards -File) { if ($record.LastWriteTimeUtc -lt [DateTime]::UtcNow.AddDays(-1)) { continue }; $lines = [IO.File]::ReadAllLines($record.FullName); if ($lines[0] -ne 'open') { continue }; foreach ($guarded in ($lines | Select-Object -Skip 2)) { if ($guarded -and (((Get-Location).Path + '\').StartsWith($guarded + '\', 'OrdinalIgnoreCase') -or $text.IndexOf(($guarded + '\').Replace('\', '\\'), 'OrdinalIgnoreCase') -ge 0)) { [Console]::Error.WriteLine($env:problem); exit 2 } } }; exit 0" && exit /b 0 || exit /b 2

:noBridge
if /i "%~1"=="hook" goto answerWithoutProgram
set "problem=The Drawbridge extension is not installed here any more, or was updated and not started since. To use it, install it in your editor and open a window. Otherwise remove the drawbridge entry from the configuration of this assistant, and delete the launcher that the entry names."
goto fail

:noRuntime
set "problem=Drawbridge found no program to run its bridge with. Open a window with Drawbridge in your editor once, or install Node.js 20 or newer (https://nodejs.org), then start this assistant again."

:fail
rem The user reads the problem on stderr; the assistant gets it as the answer to its first request, and shows it.
>&2 echo drawbridge: %problem%
>&2 echo drawbridge: This launcher is "%~f0"
for %%c in (doctor guard --help --version) do if "%~1"=="%%c" exit /b 1
"%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "$request = [Console]::In.ReadLine() | ConvertFrom-Json; if ($null -ne $request.id) { [Console]::Out.WriteLine((@{ jsonrpc = '2.0'; id = $request.id; error = @{ code = -32000; message = $env:problem } } | ConvertTo-Json -Compress)) }"
exit /b 1
