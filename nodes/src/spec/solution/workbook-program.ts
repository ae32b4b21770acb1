/**
 * Carries out steps on workbooks with openpyxl, which neither preparers nor checks use. What no step names stays as it is; results of
 * formulas are left to the application that opens the file.
 */
export const openpyxlProgram = String.raw`import datetime
import json
import os
import sys

import openpyxl
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import CellIsRule, ColorScaleRule, DataBarRule, FormulaRule, IconSetRule, Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle

folder = os.environ.get("SOLUTION_FOLDER") or os.path.dirname(os.path.abspath(__file__))
root = os.environ.get("SOLUTION_ROOT", "")


def cell_value(step):
    if step.get("day"):
        return datetime.datetime.fromisoformat(step["day"])
    if step.get("formula"):
        return "=" + step["formula"]
    return step.get("value")


def look(format):
    font = {name: True for name in ("bold", "italic", "strike") if format.get(name)}
    if format.get("color"):
        font["color"] = format["color"]
    fill = PatternFill(bgColor=format["fill"], fill_type="solid") if format.get("fill") else None
    return (Font(**font) if font else None), fill


def rule_of(rule, area):
    first = area.split(":")[0]
    kind = rule["type"]
    if kind == "data-bar":
        return DataBarRule(start_type="min", end_type="max", color=rule["color"])
    if kind == "color-scale":
        points = rule["points"]
        names = ["start", "end"] if len(points) == 2 else ["start", "mid", "end"]
        given = {}
        for name, point in zip(names, points):
            given[name + "_type"] = "num" if point["at"] == "number" else point["at"]
            given[name + "_color"] = point["color"]
            if "value" in point:
                given[name + "_value"] = point["value"]
        return ColorScaleRule(**given)
    if kind == "icons":
        count = int(rule["set"][0])
        return IconSetRule(rule["set"], "percent", [round(100 * at / count) for at in range(count)])
    font, fill = look(rule["format"])
    dxf = DifferentialStyle(font=font, fill=fill)
    if kind == "cell":
        return CellIsRule(operator=rule["operator"], formula=[str(one) for one in rule["values"]], font=font, fill=fill)
    if kind == "top":
        return Rule(type="top10", rank=rule["count"], percent=rule["percent"] or None, bottom=rule["bottom"] or None, dxf=dxf)
    if kind == "average":
        return Rule(type="aboveAverage", aboveAverage=rule["above"], dxf=dxf)
    if kind == "duplicates":
        return Rule(type="uniqueValues" if rule["unique"] else "duplicateValues", dxf=dxf)
    if kind == "text":
        text, quoted = rule["text"], '"' + rule["text"].replace('"', '""') + '"'
        if rule["operator"] == "contains":
            test = "NOT(ISERROR(SEARCH(%s,%s)))" % (quoted, first)
        elif rule["operator"] == "notContains":
            test = "ISERROR(SEARCH(%s,%s))" % (quoted, first)
        elif rule["operator"] == "beginsWith":
            test = "LEFT(%s,%d)=%s" % (first, len(text), quoted)
        else:
            test = "RIGHT(%s,%d)=%s" % (first, len(text), quoted)
        return FormulaRule(formula=[test], font=font, fill=fill)
    if kind == "blanks":
        return FormulaRule(formula=["LEN(TRIM(%s))=0" % first], font=font, fill=fill)
    return FormulaRule(formula=[rule["formula"].lstrip("=")], font=font, fill=fill)


with open(os.path.join(folder, sys.argv[1]), encoding="utf-8") as plan:
    files = json.load(plan)
for file in files:
    path = root + file["path"]
    book = openpyxl.load_workbook(path)
    for step in file["steps"]:
        if step["do"] == "add-sheet":
            book.create_sheet(step["sheet"])
        elif step["do"] == "put":
            cell = book[step["sheet"]][step["cell"]]
            cell.value = cell_value(step)
            if step.get("format"):
                cell.number_format = step["format"]
        elif step["do"] == "paint":
            cell = book[step["sheet"]][step["cell"]]
            if step.get("fill"):
                cell.fill = PatternFill(fgColor=step["fill"], fill_type="solid")
            if step.get("color"):
                font = cell.font.copy()
                font.color = step["color"]
                cell.font = font
        else:
            sheet = book[step["sheet"]]
            sheet.conditional_formatting = ConditionalFormattingList()
            for area in step["areas"]:
                for rule in area["rules"]:
                    sheet.conditional_formatting.add(area["range"], rule_of(rule, area["range"]))
    # Whoever looks finds the old file or the new one.
    book.save(path + ".new")
    os.replace(path + ".new", path)
`;

/** Carries out the same steps through LibreOffice, which does the work in the document and saves it, as a person would. */
export const officeProgram = String.raw`import datetime
import json
import os
import re
import shutil
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import Locale
from com.sun.star.sheet.AddressConvention import XL_A1

folder = os.environ.get("SOLUTION_FOLDER") or os.path.dirname(os.path.abspath(__file__))
root = os.environ.get("SOLUTION_ROOT", "")


def connected():
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    url = "uno:pipe,name=%s;urp;StarOffice.ComponentContext" % os.environ["SOLUTION_PIPE"]
    for _ in range(300):
        try:
            return resolver.resolve(url)
        except NoConnectException:
            time.sleep(0.1)
    return resolver.resolve(url)


def option(name, value):
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


def number_format(document, code):
    formats, locale = document.NumberFormats, Locale("en", "US", "")
    key = formats.queryKey(code, locale, False)
    return formats.addNew(code, locale) if key == -1 else key


def put_formula(document, cell, formula):
    # Steps say formulas as files of Excel keep them: with prefixes of later functions, and arguments parted by commas. LibreOffice parts them by semicolons.
    text, quote = "", None
    for letter in re.sub(r"\b_xlfn\.(?:_xlws\.)?", "", formula):
        if quote:
            quote = None if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == ",":
            letter = ";"
        text += letter
    parser = document.createInstance("com.sun.star.sheet.FormulaParser")
    parser.CompileEnglish, parser.FormulaConvention = True, XL_A1
    cell.setTokens(parser.parseFormula(text, cell.CellAddress))


context = connected()
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
with open(os.path.join(folder, sys.argv[1]), encoding="utf-8") as plan:
    files = json.load(plan)
for file in files:
    path = root + file["path"]
    # Another Calc may have the file open and hold its lock: a copy is worked on, and put in its place when it is whole.
    shutil.copyfile(path, path + ".new")
    calc = (option("Hidden", True), option("FilterName", "Calc MS Excel 2007 XML"))
    document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(path + ".new"), "_blank", 0, calc)
    if document is None:
        raise SystemExit("LibreOffice did not open " + path)
    try:
        sheets = document.Sheets
        for step in file["steps"]:
            if step["do"] == "add-sheet":
                sheets.insertNewByName(step["sheet"], sheets.Count)
            elif step["do"] == "put":
                cell = sheets.getByName(step["sheet"]).getCellRangeByName(step["cell"])
                value = step.get("value")
                if step.get("formula"):
                    put_formula(document, cell, step["formula"])
                elif value is None and not step.get("day"):
                    # VALUE, DATETIME, STRING and FORMULA; the look stays.
                    cell.clearContents(1 | 2 | 4 | 16)
                elif step.get("day"):
                    cell.setValue((datetime.date.fromisoformat(step["day"][:10]) - datetime.date(1899, 12, 30)).days)
                elif isinstance(value, bool) or isinstance(value, (int, float)):
                    cell.setValue(value)
                else:
                    cell.setString(value)
                if step.get("format"):
                    cell.NumberFormat = number_format(document, step["format"])
            elif step["do"] == "paint":
                cell = sheets.getByName(step["sheet"]).getCellRangeByName(step["cell"])
                if step.get("fill"):
                    cell.CellBackColor = int(step["fill"], 16)
                if step.get("color"):
                    cell.CharColor = int(step["color"], 16)
            else:
                raise SystemExit("This solution cannot " + step["do"])
        document.store()
    finally:
        document.close(True)
    os.replace(path + ".new", path)
# Threads of the connection outlive the interpreter and may crash while it takes itself apart, when all is done: it ends at once.
sys.stdout.flush()
os._exit(0)
`;
