/**
 * Queries for declarations, one per language. A capture named after a kind is the whole declaration; `@name` is its
 * name, `@of` the type to which a method or an implementation belongs, `@quiet` text without names (comments and
 * strings), and `@imports` and `@reexports` are the names of other modules.
 */

export const rust = `
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @trait
(impl_item type: (_) @name) @impl
(const_item name: (_) @name) @const
(static_item name: (_) @name) @static
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(mod_item name: (_) @name) @module
(macro_definition name: (_) @name) @unknown
[(line_comment) (block_comment) (string_literal) (raw_string_literal)] @quiet
`

export const python = `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @variable))
(import_from_statement) @imports
(import_statement name: (dotted_name) @imports)
(import_statement name: (aliased_import name: (dotted_name) @imports))
[(comment) (string)] @quiet
`

export const javascript = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(field_definition property: (_) @name) @variable
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))
((call_expression function: (identifier) @require arguments: (arguments . (string) @imports)) (#eq? @require "require"))
(import_statement source: (_) @imports)
(export_statement source: (_) @reexports)
(export_statement !source (export_clause (export_specifier name: (_) @exports)))
(call_expression function: (import) arguments: (arguments . (string) @imports))
[(comment) (string_fragment)] @quiet
`

export const typescript = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(function_signature name: (_) @name) @function
(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name) @variable
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(import_statement source: (_) @imports)
(export_statement source: (_) @reexports)
(export_statement !source (export_clause (export_specifier name: (_) @exports)))
(call_expression function: (import) arguments: (arguments . (string) @imports))
[(comment) (string_fragment)] @quiet
`

export const go = `
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @of)) name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(source_file (const_declaration (const_spec name: (_) @name) @const))
(source_file (var_declaration (var_spec name: (_) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @variable)))
(import_spec path: (_) @imports)
[(comment) (interpreted_string_literal) (raw_string_literal)] @quiet
`

export const java = `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name)) @variable
(constant_declaration declarator: (variable_declarator name: (_) @name)) @const
(import_declaration (scoped_identifier) @imports)
[(line_comment) (block_comment) (string_literal)] @quiet
`

const cFamily = `
(function_definition declarator: (_) @name) @function
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(type_definition declarator: (_) @name) @type
(preproc_def name: (_) @name) @const
(preproc_function_def name: (_) @name) @unknown
(preproc_include path: (_) @imports)
[(comment) (string_literal)] @quiet
`

/** Matches declarations outside of functions: at the top level, and inside of preprocessor or linkage blocks. */
const cDeclarations = (parents: ReadonlyArray<string>): string =>
  parents.map((parent) => `(${parent} (declaration declarator: (_) @name) @variable)`).join("\n")

const cParents = ["translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "declaration_list"]

export const c = `${cFamily}${cDeclarations(cParents)}`

export const cpp = `${cFamily}${cDeclarations([...cParents, "template_declaration"])}
(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @trait
(field_declaration declarator: (_) @name) @variable
(field_declaration_list (declaration declarator: (_) @name) @variable)
`

export const csharp = `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(property_declaration name: (_) @name) @variable
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @variable
(delegate_declaration name: (_) @name) @type
(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module
[(comment) (string_literal) (verbatim_string_literal)] @quiet
`

export const ruby = `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name) @const
[(comment) (string_content)] @quiet
`

export const php = `
(function_definition name: (_) @name) @function
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(property_declaration (property_element name: (_) @name)) @variable
(const_declaration (const_element . (name) @name)) @const
(namespace_definition name: (_) @name) @module
[(comment) (string_content)] @quiet
`

export const bash = `
(function_definition name: (_) @name) @function
(program (variable_assignment name: (_) @name) @variable)
(program (declaration_command (variable_assignment name: (_) @name)) @variable)
[(comment) (raw_string)] @quiet
`
